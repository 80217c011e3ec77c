"""Pure decisions of this room."""
