"""Gmail over HTTP: single calls, uploads and batches, all through the same operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from aiohttp import web
from multidict import MultiMapping

from postroom_simulators import planned_faults
from postroom_simulators.google import errors
from postroom_simulators.google.gmail import fields, mime
from postroom_simulators.google.gmail.accounts import Gmail
from postroom_simulators.google.gmail.batch import BatchedCall, join, split
from postroom_simulators.google.gmail.mailbox import SimGmailMailbox
from postroom_simulators.google.gmail.operations import ALL, GmailOperation, GmailRequest, find
from postroom_simulators.google.gmail.upload import GmailUploads
from postroom_simulators.google.middleware import MAILBOX, NOTE, GoogleMiddleware, Handler, body_of, json, parsed
from postroom_simulators.google.oauth.grants import GoogleAccess, GoogleGrants
from postroom_simulators.planned_faults import FaultKind
from postroom_simulators.traffic import MailboxTraffic

_USER = "/gmail/v1/users/{userId}/"
_JSON_LIMIT = 5 * 1024 * 1024  # what is larger goes to the /upload address
_BATCH_LIMIT = 50_000_000
_MOST_IN_A_BATCH = 100


class GmailApi:
    """Checks who calls and what it costs, then runs the operation."""

    def __init__(self, gmail: Gmail, grants: GoogleGrants, middleware: GoogleMiddleware) -> None:
        self._gmail = gmail
        self._grants = grants
        self._middleware = middleware
        self._uploads = GmailUploads()

    def routes(self) -> list[web.RouteDef]:
        found = [web.route("POST", path, self._guard(self.batch)) for path in ("/batch/gmail/v1", "/batch")]
        for operation in ALL:
            found.append(web.route(operation.verb, _USER + operation.path, self._single(operation)))
            if operation.upload:
                for prefix in ("/upload", "/resumable/upload"):
                    path = prefix + _USER + operation.path
                    found.append(web.route(operation.verb, path, self._upload(operation)))
                    if operation.verb != "PUT":
                        found.append(web.put(path, self._upload(operation)))
        return found

    def _guard(self, handler: Handler) -> Handler:
        return self._middleware.guard("gmail", handler)

    def _single(self, operation: GmailOperation) -> Handler:
        async def single(request: web.Request) -> web.StreamResponse:
            request[NOTE] = operation.name
            body = parsed(await body_of(request, _JSON_LIMIT)) if request.can_read_body else {}
            access = self._access(request.headers.get("Authorization", ""))
            request[MAILBOX] = access.address
            return await self._run(operation, access, request.match_info, _many(request.query), body)

        return self._guard(single)

    def _upload(self, operation: GmailOperation) -> Handler:
        async def upload(request: web.Request) -> web.StreamResponse:
            request[NOTE] = f"{operation.name} upload"
            access = self._access(request.headers.get("Authorization", ""))
            request[MAILBOX] = access.address
            taken = await self._uploads.take(request, operation.upload)
            if isinstance(taken, web.StreamResponse):
                return taken
            query = _many(request.query)
            return await self._run(operation, access, request.match_info, query, taken.body, taken.media)

        return self._guard(upload)

    async def batch(self, request: web.Request) -> web.StreamResponse:
        request[NOTE] = "batch"
        inner = split(request.headers.get("Content-Type", ""), await body_of(request, _BATCH_LIMIT))
        if len(inner) > _MOST_IN_A_BATCH:
            raise errors.invalid(f"The batch request contains too many calls: {len(inner)}, at most 100 are taken.")
        outer = request.headers.get("Authorization", "")
        answers = [(call, await self._inner(call, outer)) for call in inner]
        content_type, body = join(answers)
        return web.Response(body=body, headers={"Content-Type": content_type})

    async def _inner(self, call: BatchedCall, outer: str) -> web.Response:
        """One call of a batch: its own faults, its own quota, its own status."""
        mailbox, name = "", "unknown"
        try:
            found = find(call.method, unquote(call.path))
            if found is None:
                raise errors.not_found()
            operation, params = found
            name = operation.name
            refusal = self._middleware.struck(throttle=False)
            if refusal:
                raise refusal
            access = self._access(call.authorization or outer)
            mailbox = access.address
            answer = await self._run(operation, access, params, call.query, parsed(call.body))
        except errors.GoogleApiError as refusal:
            answer = json(refusal.body(), refusal.code)
        self._middleware.note("gmail", call.method, call.path, answer.status, mailbox, f"{name} in batch")
        return answer

    async def _run(
        self,
        operation: GmailOperation,
        access: GoogleAccess,
        path: Mapping[str, str],
        query: Mapping[str, Sequence[str]],
        body: dict[str, Any],
        media: bytes | None = None,
    ) -> web.Response:
        box = self._box(access, path["userId"])
        if not access.scopes & operation.scopes:
            raise errors.insufficient_scopes()
        project = self._grants.project(access.client_id)
        request = GmailRequest(self._gmail, box, project, access.scopes, path, query, body, media)
        traffic = self._gmail.traffic.of(access.client_id, box.address)
        with traffic.under_way():
            await self._middleware.linger()
            self._check_limits(operation, request, traffic)
            return await self._perform(operation, request, traffic)

    def _check_limits(self, operation: GmailOperation, request: GmailRequest, traffic: MailboxTraffic) -> None:
        """Whoever was told to wait is refused till then, whatever it asks for."""
        if traffic.waits():
            raise self._told_to_wait(traffic)
        switches = self._gmail.faults.switches
        minute_ends = self._gmail.quota.spend(request.project, request.box.address, operation.cost)
        if minute_ends is not None:
            traffic.throttle(minute_ends, "quota")
            raise self._told_to_wait(traffic)
        if self._gmail.faults.strikes(switches.throttle):
            raise self._throttled(traffic)

    def _throttled(self, traffic: MailboxTraffic) -> errors.GoogleApiError:
        traffic.throttle(self._gmail.clock.time() + self._gmail.faults.switches.retry_after, "burst")
        return self._told_to_wait(traffic)

    def _told_to_wait(self, traffic: MailboxTraffic) -> errors.GoogleApiError:
        refusal = self._middleware.throttled(traffic.wait_till, burst=traffic.reason == "burst")
        traffic.refused(named_a_time="Retry after" in refusal.message)
        return refusal

    async def _perform(self, operation: GmailOperation, request: GmailRequest, traffic: MailboxTraffic) -> web.Response:
        planned = self._gmail.faults.planned
        fault = planned.take(f"gmail.{operation.name}", request.box.address) if planned.all else None
        if fault is None:
            return _answered(operation, request)

        async def effect() -> web.Response:
            return _answered(operation, request)

        return await planned_faults.meet(
            fault, effect, lambda kind: self._refusal(kind, traffic), lambda: _edit_meanwhile(request)
        )

    def _refusal(self, kind: FaultKind, traffic: MailboxTraffic) -> errors.GoogleApiError:
        match kind:
            case "throttled":
                return self._throttled(traffic)
            case "conflict":
                return errors.GoogleApiError(409, "aborted", "The operation was aborted.", status="ABORTED")
            case "precondition_failed":
                return errors.GoogleApiError(
                    412, "conditionNotMet", "Precondition Failed", status="FAILED_PRECONDITION"
                )
            case _:
                return errors.GoogleApiError(500, "backendError", "Internal error encountered.")

    def _access(self, authorization: str) -> GoogleAccess:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise errors.no_credentials()
        access = self._grants.live(token)
        if access is None:
            raise errors.bad_credentials()
        return access

    def _box(self, access: GoogleAccess, user: str) -> SimGmailMailbox:
        """`me` or the own address; a service account without a person has no mailbox."""
        box = self._gmail.boxes.get(access.address)
        if box is None:
            raise errors.failed_precondition()
        if user not in ("me", box.address) and user.lower() != box.address:
            raise errors.GoogleApiError(403, "forbidden", f"Delegation denied for {access.address}")
        return box


def _answered(operation: GmailOperation, request: GmailRequest) -> web.Response:
    mask = fields.parse(request.query["fields"][-1]) if "fields" in request.query else None
    answer = operation.run(request)
    if answer is None:
        return web.Response(status=204)
    return json(fields.trim(answer, mask) if mask else answer)


def _edit_meanwhile(request: GmailRequest) -> None:
    """A person at the mail program was quicker: the draft has another message now."""
    draft = request.box.drafts.get(request.path.get("id", "") or str(request.body.get("id", "")))
    if draft is not None:
        raw = mime.with_text(draft.mail.raw, "Edited meanwhile.")
        request.box.put_draft(raw, thread_id=draft.mail.thread_id, draft_id=draft.id)


def _many(query: MultiMapping[str]) -> dict[str, list[str]]:
    return {name: query.getall(name) for name in query}
