"""Money that multiplies and adds up: candidates for roles, products, and the way from a gross to a booked amount."""
