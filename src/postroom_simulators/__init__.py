"""Microsoft Graph, Gmail and Pub/Sub on real HTTP, with faults, a clock of their own and sample mail.

Written from the vendors' wire behaviour and sharing no code with the product, so that each can prove the other.
"""
