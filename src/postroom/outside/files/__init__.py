"""Mail in files: .eml, .mbox and Maildir, read one message at a time."""

from postroom.outside.files.importer import BrokenFile, open_files

__all__ = ["BrokenFile", "open_files"]
