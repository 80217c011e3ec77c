"""Reading documents: of a message that arrived, and of a file that a person handed in; and learning."""

from postroom.rooms.documents.jobs.learning import LearnProfile, RelearnProfile, learn_profile, relearn_profile
from postroom.rooms.documents.jobs.mail import ReadDocuments, read_documents
from postroom.rooms.documents.jobs.rereading import RereadDocuments, reread_documents
from postroom.rooms.documents.jobs.uploads import ReadUpload, read_upload

__all__ = [
    "LearnProfile",
    "ReadDocuments",
    "ReadUpload",
    "RelearnProfile",
    "RereadDocuments",
    "learn_profile",
    "read_documents",
    "read_upload",
    "relearn_profile",
    "reread_documents",
]
