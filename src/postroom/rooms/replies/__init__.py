"""Replies: drafts from evidence, which never overwrite a person.

In: a thread that triage left to be answered, and the tenant's papers.
Out: nothing yet: the rules answer the command line (`postroom reply`) and the room that is built on them.
Owns: nothing yet.
"""
