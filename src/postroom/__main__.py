"""`python -m postroom` is the command line."""

from postroom.cli import app

app()
