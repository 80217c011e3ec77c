"""The console: pages for people, live, keyboard first.

In: a browser with a session.
Out: commands of the rooms; what they tell comes back as live fragments.
Owns: nothing; it reads any table and writes none.
"""

from postroom.doors.console.mounting import Console, mount

__all__ = ["Console", "mount"]
