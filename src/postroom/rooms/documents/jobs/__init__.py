"""Reading documents: of a message that arrived, and of a file that a person handed in."""

from postroom.rooms.documents.jobs.mail import ReadDocuments, read_documents
from postroom.rooms.documents.jobs.uploads import ReadUpload, read_upload

__all__ = ["ReadDocuments", "ReadUpload", "read_documents", "read_upload"]
