"""Where work is done. A room never imports another room; it ends by telling a fact."""
