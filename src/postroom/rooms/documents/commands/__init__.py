"""What people do with documents: look, confirm, correct, reject, hand in; and what they keep for us."""

from postroom.rooms.documents.commands.attachments import AttachedFile, fetch_attachment
from postroom.rooms.documents.commands.handing_in import ByHand, enter, retry, upload
from postroom.rooms.documents.commands.keeping import (
    add_password,
    allow_sender,
    disallow_sender,
    forget_profile,
    learnt_profiles,
    passwords,
    remove_password,
    sender_rules,
)
from postroom.rooms.documents.commands.looking import (
    Detail,
    Page,
    PageImage,
    bookings,
    documents,
    get_document,
    invoices,
    next_in_review,
    original,
    page_image,
    previous_in_review,
    tally,
    trades,
)
from postroom.rooms.documents.commands.orders import Imported, cancel_order, import_orders, orders, place_order
from postroom.rooms.documents.commands.review import Corrected, confirm, correct, leave_out, reject
from postroom.rooms.documents.commands.undoing import TakenBack, take_back

__all__ = [
    "AttachedFile",
    "ByHand",
    "Corrected",
    "Detail",
    "Imported",
    "Page",
    "PageImage",
    "TakenBack",
    "add_password",
    "allow_sender",
    "bookings",
    "cancel_order",
    "confirm",
    "correct",
    "disallow_sender",
    "documents",
    "enter",
    "fetch_attachment",
    "forget_profile",
    "get_document",
    "import_orders",
    "invoices",
    "learnt_profiles",
    "leave_out",
    "next_in_review",
    "orders",
    "original",
    "page_image",
    "passwords",
    "place_order",
    "previous_in_review",
    "reject",
    "remove_password",
    "retry",
    "sender_rules",
    "take_back",
    "tally",
    "trades",
    "upload",
]
