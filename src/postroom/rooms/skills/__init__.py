"""Skills: what a program may ask for by name, and how much say it has.

In: somebody who runs one, through the API or as a tool over the Model Context Protocol. Which room's command each
    skill is stands in `rooms/skillset.py`.
Out: SkillStarted, SkillFinished.
Owns: nothing (its runs are facts).
"""
