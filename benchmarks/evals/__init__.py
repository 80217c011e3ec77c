"""How well documents and mails are understood, on public data that is kept elsewhere."""
