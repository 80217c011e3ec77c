"""What this room keeps: papers made ready to be asked, and drafts."""
