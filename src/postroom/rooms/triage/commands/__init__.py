"""What people do about threads, channels and topics. API, console and command line all come here."""

from postroom.rooms.triage.commands.analysing import MailAnalysis, analyse_message, analyse_thread, analyse_words
from postroom.rooms.triage.commands.channels import add_channel, change_channel, channels, remove_channel
from postroom.rooms.triage.commands.seeing_to import assign, move, reopen, set_done, set_not_for_us, snooze
from postroom.rooms.triage.commands.topics import (
    TopicEffect,
    TopicPreview,
    add_topic,
    change_topic,
    preview_topic,
    remove_topic,
    topics,
)
from postroom.rooms.triage.commands.trying import try_text, withheld_because

__all__ = [
    "MailAnalysis",
    "TopicEffect",
    "TopicPreview",
    "add_channel",
    "add_topic",
    "analyse_message",
    "analyse_thread",
    "analyse_words",
    "assign",
    "change_channel",
    "change_topic",
    "channels",
    "move",
    "preview_topic",
    "remove_channel",
    "remove_topic",
    "reopen",
    "set_done",
    "set_not_for_us",
    "snooze",
    "topics",
    "try_text",
    "withheld_because",
]
