"""The simulated Google: Gmail, accounts and Pub/Sub, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aiohttp import web

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google import errors
from postroom_simulators.google.gmail import Gmail, mime
from postroom_simulators.google.gmail.accounts import Outbound
from postroom_simulators.google.gmail.http import GmailApi
from postroom_simulators.google.gmail.mailbox import SimGmailDraft, SimGmailMailbox, SimGmailMessage
from postroom_simulators.google.gmail.quota import QuotaTable
from postroom_simulators.google.gmail.watches import PUBLISHER
from postroom_simulators.google.keys import GoogleSigningKey
from postroom_simulators.google.middleware import NOTE, GoogleMiddleware, Handler, body_of, json, parsed
from postroom_simulators.google.oauth.grants import Death, GoogleAccess, GoogleApp, GoogleGrant, GoogleGrants
from postroom_simulators.google.oauth.http import AuthorizationServer
from postroom_simulators.google.pubsub.broker import PubSubBroker, PushConfig, SimPubSubSubscription, SimPubSubTopic
from postroom_simulators.google.pubsub.http import PubSub, PubSubCall
from postroom_simulators.google.pubsub.push import PubSubPusher
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.recorder import Recorder
from postroom_simulators.schedule import SimSchedule

MODIFY_SCOPE = "https://www.googleapis.com/auth/gmail.modify"
_PUBSUB_SCOPES = {
    "https://www.googleapis.com/auth/pubsub",
    "https://www.googleapis.com/auth/cloud-platform",
}


class GoogleSim:
    """What a composition needs: routes, a start and a stop, mailboxes, and what people do in them."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder) -> None:
        self.key = GoogleSigningKey()
        self.grants = GoogleGrants(clock, faults)
        self._schedule = SimSchedule(clock)
        self.broker = PubSubBroker(clock, faults, self._schedule)
        self.gmail = Gmail(clock, faults, recorder, self.broker)
        self.pubsub = PubSub(clock, self.broker)
        self._middleware = GoogleMiddleware(clock, faults, recorder)
        self._api = GmailApi(self.gmail, self.grants, self._middleware)
        self._accounts = AuthorizationServer(self.grants, self.key, self.gmail.boxes)
        self._pusher = PubSubPusher(clock, faults, recorder, self.key, self._schedule, self.broker)

    # Running

    def routes(self) -> list[web.RouteDef]:
        guard = self._middleware.guard
        pages = [
            web.route(verb, path, guard("google", page, faulty=False)) for verb, path, page in self._accounts.pages()
        ]
        calls = [web.route(verb, path, guard("google", call)) for verb, path, call in self._accounts.calls()]
        pubsub = [
            web.route(verb, path, guard("pubsub", self._pubsub_handler(name, call)))
            for verb, path, name, call in self.pubsub.calls()
        ]
        return [*self._api.routes(), *pages, *calls, *pubsub]

    async def start(self) -> None:
        await self._pusher.start()

    async def stop(self) -> None:
        await self._schedule.stop()
        await self._pusher.stop()

    # Settings

    @property
    def strict_apps(self) -> bool:
        """Whether only registered OAuth clients and signed-in Pub/Sub callers are served."""
        return self.grants.strict_apps

    @strict_apps.setter
    def strict_apps(self, value: bool) -> None:
        self.grants.strict_apps = value

    @property
    def auto_topics(self) -> bool:
        """Whether a topic named in a watch or a subscription is made when it does not exist."""
        return self.broker.auto_topics

    @auto_topics.setter
    def auto_topics(self, value: bool) -> None:
        self.broker.auto_topics = value

    @property
    def quota(self) -> QuotaTable:
        """Which price list counts: `new`, `old` or `off`."""
        return self.gmail.quota.table

    @quota.setter
    def quota(self, value: QuotaTable) -> None:
        self.gmail.quota.table = value

    @property
    def on_outbound(self) -> Outbound | None:
        """Called with the mail and those recipients that have no mailbox here."""
        return self.gmail.on_outbound

    @on_outbound.setter
    def on_outbound(self, value: Outbound | None) -> None:
        self.gmail.on_outbound = value

    # Mailboxes and mail

    @property
    def mailboxes(self) -> Mapping[str, SimGmailMailbox]:
        return self.gmail.boxes

    def add_mailbox(self, address: str, *, name: str = "") -> SimGmailMailbox:
        return self.gmail.open(address, name)

    def deliver(self, letter: IncomingMail) -> str:
        """Put a mail into its mailbox, as if it had come over SMTP; the message id."""
        box = self.gmail.box(letter.mailbox)
        return self.gmail.receive(box, letter.raw, letter.folder, poisoned=letter.poisoned).id

    def add_alias(self, address: str, alias: str) -> None:
        """One more address that reaches this mailbox, and that it may send from."""
        box = self.gmail.box(address)
        box.addresses.append(alias.lower())
        self.gmail.aliases[alias.lower()] = box

    def accept(self, raw: bytes, recipients: Iterable[str]) -> list[str]:
        """Mail from elsewhere, to those of its recipients who have a mailbox here; the message ids."""
        here = [self.gmail.boxes[address.lower()] for address in recipients if address.lower() in self.gmail.boxes]
        return [self.gmail.receive(box, raw).id for box in here]

    def expire_history(self, address: str) -> None:
        """Every cursor handed out so far is too old from now on."""
        self.gmail.box(address).forget_history()

    # What a person does in the mailbox

    def archive(self, address: str, message_id: str) -> None:
        self._relabel(address, message_id, remove=["INBOX"])

    def move_to_inbox(self, address: str, message_id: str) -> None:
        self._relabel(address, message_id, add=["INBOX"], remove=["SPAM", "TRASH"])

    def trash(self, address: str, message_id: str) -> None:
        self._relabel(address, message_id, add=["TRASH"], remove=["INBOX"])

    def mark_read(self, address: str, message_id: str) -> None:
        self._relabel(address, message_id, remove=["UNREAD"])

    def mark_unread(self, address: str, message_id: str) -> None:
        self._relabel(address, message_id, add=["UNREAD"])

    def edit_draft(
        self,
        address: str,
        draft_id: str,
        *,
        text: str | None = None,
        raw: bytes | None = None,
        new_id: bool = False,
    ) -> str:
        """A person rewrites a draft; its message id changes, and with `new_id` the draft's id too."""
        box, draft = self._draft(address, draft_id)
        content = raw if raw is not None else mime.with_text(draft.mail.raw, text or "")
        if not new_id:
            return box.put_draft(content, thread_id=draft.mail.thread_id, draft_id=draft_id).id
        fresh = box.put_draft(content, thread_id=draft.mail.thread_id)
        box.delete(draft.mail)
        return fresh.id

    def send_draft(self, address: str, draft_id: str) -> str:
        """A person presses Send; the id of the sent message."""
        box, draft = self._draft(address, draft_id)
        return self.gmail.send_draft(box, draft).id

    def delete_draft(self, address: str, draft_id: str) -> None:
        box, draft = self._draft(address, draft_id)
        box.delete(draft.mail)

    # Access

    def register_app(
        self,
        client_id: str,
        secret: str = "",
        *,
        redirect_uris: Iterable[str] = (),
        project: str = "",
        testing: bool = False,
    ) -> None:
        self.grants.apps[client_id] = GoogleApp(client_id, secret, frozenset(redirect_uris), project, testing)

    def grant(self, address: str, client_id: str = "client", scopes: Iterable[str] = (MODIFY_SCOPE,)) -> GoogleGrant:
        """A refresh token without a browser."""
        return self.grants.give(self.gmail.box(address).address, client_id, scopes)

    def access_token(self, address: str, client_id: str = "client", scopes: Iterable[str] = (MODIFY_SCOPE,)) -> str:
        return self.grants.access(self.gmail.box(address).address, client_id, scopes).token

    def revoke(self, address: str, why: Death = "revoked", *, client_id: str | None = None) -> int:
        """End the grants of a mailbox: `revoked`, `rapt` (session control) or `admin_policy`; how many."""
        return self.grants.end(address, why, client_id)

    def change_password(self, address: str) -> int:
        return self.grants.change_password(address)

    # Pub/Sub

    def add_topic(self, name: str, *, gmail_may_publish: bool = True) -> SimPubSubTopic:
        return self.broker.add_topic(name, PUBLISHER if gmail_may_publish else "")

    def add_push_subscription(
        self,
        name: str,
        topic: str,
        endpoint: str,
        audience: str = "",
        service_account: str = "",
        *,
        ack_deadline: float = 10.0,
    ) -> SimPubSubSubscription:
        if not endpoint.startswith(("http://", "https://")):
            raise ValueError(f"A push endpoint starts with http:// or https://, not {endpoint!r}.")
        if topic not in self.broker.topics:
            self.add_topic(topic)
        push = PushConfig(endpoint, audience, service_account)
        return self.broker.add_subscription(SimPubSubSubscription(name, topic, push, ack_deadline=ack_deadline))

    def add_pull_subscription(self, name: str, topic: str, *, ack_deadline: float = 10.0) -> SimPubSubSubscription:
        if topic not in self.broker.topics:
            self.add_topic(topic)
        return self.broker.add_subscription(SimPubSubSubscription(name, topic, ack_deadline=ack_deadline))

    def redirect_pushes(self, subscription: str, endpoint: str) -> None:
        """Another address for a push subscription, with the same token."""
        known = self.broker.subscriptions[subscription]
        token = known.push or PushConfig(endpoint)
        self.broker.redirect(known, PushConfig(endpoint, token.audience, token.service_account))

    def waiting_pushes(self) -> int:
        """Pushes not yet acknowledged: queued, on their way, or waiting to be tried again."""
        return self._pusher.busy() + len(self._schedule)

    def _relabel(self, address: str, message_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        box, mail = self._mail(address, message_id)
        box.relabel(mail, add, remove)

    def _mail(self, address: str, message_id: str) -> tuple[SimGmailMailbox, SimGmailMessage]:
        box = self.gmail.box(address)
        mail = box.mails.get(message_id)
        if mail is None:
            raise ValueError(f"There is no message {message_id} in {address}.")
        return box, mail

    def _draft(self, address: str, draft_id: str) -> tuple[SimGmailMailbox, SimGmailDraft]:
        box = self.gmail.box(address)
        draft = box.drafts.get(draft_id)
        if draft is None:
            raise ValueError(f"There is no draft {draft_id} in {address}.")
        return box, draft

    def _pubsub_handler(self, name: str, call: PubSubCall) -> Handler:
        async def handler(request: web.Request) -> web.StreamResponse:
            request[NOTE] = name
            self._check_pubsub(request.headers.get("Authorization", ""))
            body = parsed(await body_of(request, 10_000_000)) if request.can_read_body else {}
            return json(await call(request.match_info, body))

        return handler

    def _check_pubsub(self, authorization: str) -> None:
        """None are needed unless applications are strict, as in Google's emulator; wrong ones never pass."""
        if not authorization and not self.strict_apps:
            return
        scheme, _, token = authorization.partition(" ")
        access: GoogleAccess | None = self.grants.live(token) if scheme.lower() == "bearer" else None
        if access is None:
            raise errors.bad_credentials()
        if not access.scopes & _PUBSUB_SCOPES:
            raise errors.insufficient_scopes()
