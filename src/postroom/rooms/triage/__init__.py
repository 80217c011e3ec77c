"""Triage: whether a thread wants us, what it is about, who must see it, and the label it bears.

In: MessageArrived and ThreadTouched at mailboxes with the copilot on, CopilotSwitched, OperatorsChanged; the clock; a
    person who assigns, snoozes, sets aside, moves, or says which words and channels there are.
Out: ThreadTriaged, SensitiveFlagged, ThreadAnalysed, ThreadLabelled, LabelChangedByPerson, LabelsRefused,
     ThreadStateSet, ThreadAssigned, ThreadSnoozed, ThreadSetAside, ThreadMoved, ChannelChanged, TopicChanged.
Owns: thread_state, turn, copilot_mailbox, channel, tenant_topic.
"""
