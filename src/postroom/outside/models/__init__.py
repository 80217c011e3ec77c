"""Language models over HTTP: any server with chat completions, and Anthropic's messages."""

from postroom.outside.models.client import ChatModel
from postroom.outside.models.patience import Patient

__all__ = ["ChatModel", "Patient"]
