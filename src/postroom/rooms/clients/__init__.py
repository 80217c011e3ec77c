"""Clients: the book of accounts, whose mail each mail is, how sure we are, and who corrected us.

In: MessageArrived, MessageSifted (its documents were read), BookChanged; the clock, at night; a person who keeps the
    book or decides.
Out: BookImported, BookChanged, AccountsMerged, ClientMapped, ClientUnclear, MappingConfirmed, MappingIgnored,
     MappingUndone, ContactsAged, ContactProposalDecided, MappingPolicyChanged.
Owns: account, account_key, account_domain, domain_key, contact, contact_account, engagement, work_item, account_change,
      mapping, mapping_change, sender_choice, signal_tally, contact_proposal, mapping_policy.
"""
