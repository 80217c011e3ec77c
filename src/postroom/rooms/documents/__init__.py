"""Documents: from an attachment or an upload to a confirmed trade or invoice, or to a person who decides.

In: MessageArrived, DocumentUploaded, DocumentRetried; a person who reviews, uploads, fetches
    a file, or keeps orders.
Out: MessageSifted, DocumentRead, DocumentUnreadable, DocumentRouted, ConfirmationShadowed, TradeConfirmed,
     InvoiceConfirmed, BookingConfirmed, DocumentCorrected, DocumentChecked, ProfileLearnt, LessonDropped,
     DocumentRejected, DocumentEntered, DocumentUndone, DocumentReopened, DocumentRetried, DocumentUploaded,
     OrdersPlaced, OrderCancelled, SenderRuleChanged, PasswordChanged, ProfileForgotten, AttachmentFetched.
Owns: document, document_decision, upload, document_tally, pending_order, trade, invoice, invoice_line, booking,
      document_correction, gate_verdict, pdf_password, sender_rule, sender_profile, attachment.
"""
