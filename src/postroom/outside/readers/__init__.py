"""Readers: bytes in, words with their places out. Every untrusted file is opened in a process of its own."""
