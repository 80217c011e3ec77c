"""Reading documents: of a message that arrived, and of a file that a person handed in; learning, and forgetting."""

from postroom.rooms.documents.jobs.forgetting import ForgetOld, forget_old
from postroom.rooms.documents.jobs.learning import LearnProfile, learn_profile
from postroom.rooms.documents.jobs.mail import ReadDocuments, read_documents
from postroom.rooms.documents.jobs.uploads import ReadUpload, read_upload

__all__ = [
    "ForgetOld",
    "LearnProfile",
    "ReadDocuments",
    "ReadUpload",
    "forget_old",
    "learn_profile",
    "read_documents",
    "read_upload",
]
