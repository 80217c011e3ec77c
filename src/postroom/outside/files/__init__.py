"""Mail in files: .eml, .mbox and Maildir, read one message at a time."""

from postroom.outside.files.importer import Broken, open_files

__all__ = ["Broken", "open_files"]
