"""What is decided about clients: pure functions over values, each answer with its reason."""
