"""OpenTelemetry: spans to a collector over OTLP/HTTP. Needs the extra `traces`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from postroom.nouns.errors import Misconfigured

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter


class OtelTracing:
    """One for the process. Spans are sent in batches from a thread; without the collector they are dropped."""

    def __init__(self, exporter: SpanExporter, *, at_once: bool = False) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = TracerProvider(resource=Resource.create({"service.name": "postroom"}))
        self._provider.add_span_processor(SimpleSpanProcessor(exporter) if at_once else BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("postroom")
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def span(self, name: str, parent: str | None, attributes: Mapping[str, str | int]) -> Iterator[None]:
        context = self._propagator.extract({"traceparent": parent}) if parent else None
        with self._tracer.start_as_current_span(name, context=context, attributes=dict(attributes)):
            yield

    def current(self) -> str | None:
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return carrier.get("traceparent")

    def close(self) -> None:
        self._provider.shutdown()


def open_traces(url: str) -> OtelTracing:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise Misconfigured(
            "POSTROOM_TRACES_URL is set, so the extra `traces` is needed: pip install 'postroom[traces]'."
        ) from None
    return OtelTracing(OTLPSpanExporter(endpoint=f"{url}/v1/traces"))
