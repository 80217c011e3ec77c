"""Retention: what is older than a tenant keeps is let go of, each room's by the room itself.

In: the clock, at night. Which room forgets what stands in `rooms/forgetting.py`.
Out: Forgotten.
Owns: unwanted_blob.
"""
