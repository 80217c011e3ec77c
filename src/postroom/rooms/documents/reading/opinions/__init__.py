"""A model's opinion: asked for, held against the document's own words, and never believed by itself."""

from postroom.rooms.documents.reading.opinions.asking import Hurried, with_opinion
from postroom.rooms.documents.reading.opinions.weighing import weigh

__all__ = ["Hurried", "weigh", "with_opinion"]
