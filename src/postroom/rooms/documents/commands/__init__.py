"""What people do with documents: look, confirm, correct, reject, hand in; and what they keep for us."""

from postroom.rooms.documents.commands.attachments import AttachedFile, fetch_attachment
from postroom.rooms.documents.commands.keeping import (
    add_password,
    allow_sender,
    disallow_sender,
    passwords,
    remove_password,
    sender_rules,
)
from postroom.rooms.documents.commands.looking import (
    Detail,
    Page,
    PageImage,
    documents,
    get_document,
    invoices,
    next_in_review,
    original,
    page_image,
    tally,
    trades,
)
from postroom.rooms.documents.commands.orders import Imported, cancel_order, import_orders, orders, place_order
from postroom.rooms.documents.commands.review import Corrected, confirm, correct, reject, retry, upload

__all__ = [
    "AttachedFile",
    "Corrected",
    "Detail",
    "Imported",
    "Page",
    "PageImage",
    "add_password",
    "allow_sender",
    "cancel_order",
    "confirm",
    "correct",
    "disallow_sender",
    "documents",
    "fetch_attachment",
    "get_document",
    "import_orders",
    "invoices",
    "next_in_review",
    "orders",
    "original",
    "page_image",
    "passwords",
    "place_order",
    "reject",
    "remove_password",
    "retry",
    "sender_rules",
    "tally",
    "trades",
    "upload",
]
