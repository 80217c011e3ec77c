"""The client book and the mappings in the database."""
