"""Mail in files: .eml, .mbox and Maildir, read one message at a time."""

from postroom.outside.files.importer import SkippedFile, open_files

__all__ = ["SkippedFile", "open_files"]
