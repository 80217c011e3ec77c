"""Mail, pure: parsing, what is new in a reply, whom to trust, what a machine wrote, what kind of file bytes are."""
