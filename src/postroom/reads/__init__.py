"""The read model: what the API, the console and the command line list, over every room's tables.

Read-only. Columns stand once in SQL, in a view beside their table (`message_view`, `fact_view` and so on), and
once in the class that holds a row; a test compares the two. A list costs the same however much there is.
"""

from postroom.reads import clients, facts, figures, jobs, messages, overview, papers, scorecard, threads

__all__ = ["clients", "facts", "figures", "jobs", "messages", "overview", "papers", "scorecard", "threads"]
