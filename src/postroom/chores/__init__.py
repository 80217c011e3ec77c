"""What people start by hand and what touches several rooms: import, backstop, doctor."""
