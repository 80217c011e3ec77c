"""Word lists of the room, in ten languages."""
