"""Labels: the words of ten languages that name a value, and the value each belongs to."""
