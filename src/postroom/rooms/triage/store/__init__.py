"""Threads, their turns, channels and topics in the database."""
