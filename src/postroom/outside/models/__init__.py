"""Language models over HTTP: any server with chat completions, and Anthropic's messages."""

from postroom.outside.models.circuit_breaker import CircuitBreaker
from postroom.outside.models.client import ChatModel

__all__ = ["ChatModel", "CircuitBreaker"]
