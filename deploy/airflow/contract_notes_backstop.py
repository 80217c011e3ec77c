"""An example DAG beside Postroom: once a day, whatever the webhook missed, through the same ledger.

It walks Graph's delta of the folder, and runs the four published statements of the shared ledger to the letter, so that
a message is processed once, whoever comes first.

Airflow Variables: graph_tenant_id, graph_client_id, graph_client_secret, graph_mailbox_email, graph_mailbox_folder;
postroom_url and postroom_key (an operator's key: `postroom key create --role operator`). Airflow Connection: ledger
(PostgreSQL). The delta link is kept in the Variable contract_notes_delta_link.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import requests
from airflow.decorators import dag, task
from airflow.exceptions import AirflowFailException
from airflow.models import Variable
from airflow.operators.python import get_current_context
from airflow.providers.postgres.hooks.postgres import PostgresHook

GRAPH = "https://graph.microsoft.com/v1.0"
IMMUTABLE = {"Prefer": 'IdType="ImmutableId"'}  # on every request: else a moved message is another message
FIELDS = "id,subject,from,receivedDateTime,hasAttachments,isDraft"
WINDOW = timedelta(days=7)
PATIENCE = timedelta(minutes=10)  # below the ledger's lease of 15

CHECK = """
SELECT 1 FROM bo_airflow.email_ingestion_state
WHERE app_name = 'pad_contract_notes'
  AND message_id = %s
  AND status = 'success'
"""

CLAIM = """
INSERT INTO bo_airflow.email_ingestion_state
    (app_name, message_id, mailbox_email, sender_email,
     received_at, subject, status, worker_id, created_at, updated_at)
VALUES
    ('pad_contract_notes', %s, %s, %s, %s, %s, 'processing', %s, NOW(), NOW())
ON CONFLICT (app_name, message_id) DO UPDATE SET
    status = CASE
        WHEN email_ingestion_state.status IN ('failed', 'skipped')
        THEN 'processing'
        ELSE email_ingestion_state.status
    END,
    worker_id = EXCLUDED.worker_id,
    updated_at = NOW()
WHERE email_ingestion_state.status != 'success'
RETURNING status
"""

SUCCESS = """
UPDATE bo_airflow.email_ingestion_state
SET status = 'success',
    attachments_processed = %s,
    trades_extracted = %s,
    archive_gcs_paths = %s,
    updated_at = NOW()
WHERE app_name = 'pad_contract_notes' AND message_id = %s
"""

FAILED = """
UPDATE bo_airflow.email_ingestion_state
SET status = 'failed',
    error_message = %s,
    updated_at = NOW()
WHERE app_name = 'pad_contract_notes' AND message_id = %s
"""

TO_RETRY = """
SELECT message_id FROM bo_airflow.email_ingestion_state
WHERE app_name = 'pad_contract_notes' AND status = 'failed' AND lower(mailbox_email) = lower(%s) AND updated_at > %s
"""


class Mailbox:
    """One mailbox over Graph, app-only."""

    def __init__(self) -> None:
        self.address = Variable.get("graph_mailbox_email")
        self.folder = Variable.get("graph_mailbox_folder", default_var="Inbox")
        self._session = requests.Session()
        self._session.headers.update(IMMUTABLE | {"Authorization": f"Bearer {self._token()}"})

    def _token(self) -> str:
        answer = requests.post(
            f"https://login.microsoftonline.com/{Variable.get('graph_tenant_id')}/oauth2/v2.0/token",
            data={
                "grant_type": "client_credentials",
                "client_id": Variable.get("graph_client_id"),
                "client_secret": Variable.get("graph_client_secret"),
                "scope": "https://graph.microsoft.com/.default",
            },
            timeout=30,
        )
        answer.raise_for_status()
        return str(answer.json()["access_token"])

    def get(self, url: str, **options: Any) -> requests.Response:
        """Throttled (429) or down (5xx): the task fails, and Airflow's own retry comes back later."""
        return self._session.get(url, timeout=60, **options)

    def message(self, message_id: str) -> dict[str, Any] | None:
        answer = self.get(f"{GRAPH}/users/{self.address}/messages/{message_id}", params={"$select": FIELDS})
        if answer.status_code == 404:
            return None
        answer.raise_for_status()
        return dict(answer.json())

    def pdfs(self, message_id: str) -> Iterator[tuple[str, bytes]]:
        base = f"{GRAPH}/users/{self.address}/messages/{message_id}/attachments"
        listed = self.get(base, params={"$select": "id,name,isInline"})
        listed.raise_for_status()
        for each in listed.json()["value"]:
            if each.get("isInline"):
                continue
            content = self.get(f"{base}/{each['id']}/$value")
            content.raise_for_status()
            if content.content.startswith(b"%PDF-"):
                yield each["name"], content.content

    def changes(self, link: str | None) -> tuple[list[dict[str, Any]], str]:
        """Everything since `link`, and the next link. Without one, or when it has expired: the last days."""
        since = (datetime.now(UTC) - WINDOW).strftime("%Y-%m-%dT%H:%M:%SZ")
        start = (
            f"{GRAPH}/users/{self.address}/mailFolders/{self.folder}/messages/delta"
            f"?$select={FIELDS}&$filter=receivedDateTime ge {since}"
        )
        found: dict[str, dict[str, Any]] = {}
        url = link or start
        while True:
            answer = self.get(url)
            if link is not None and answer.status_code in (404, 410):
                return self.changes(None)
            answer.raise_for_status()
            page = answer.json()
            found |= {item["id"]: item for item in page["value"] if "@removed" not in item and not item.get("isDraft")}
            if "@odata.nextLink" not in page:
                return list(found.values()), str(page["@odata.deltaLink"])
            url = page["@odata.nextLink"]


def process(mailbox: Mailbox, message: dict[str, Any]) -> tuple[int, int, list[str]]:
    """Hand each PDF to Postroom's own door, where a repeated upload changes nothing. Files, trades and archive paths.

    Yours may do something else, as long as doing it twice changes nothing and it ends within the lease of 15 minutes.
    """
    sender = (message.get("from") or {}).get("emailAddress", {}).get("address", "")
    read = [_read(name, content, sender) for name, content in mailbox.pdfs(message["id"])]
    paths = [document["archive_path"] for document in read if document["archive_path"]]
    return len(read), sum(len(document["trades"]) for document in read), paths


def _read(name: str, content: bytes, sender: str) -> dict[str, Any]:
    base = f"{Variable.get('postroom_url')}/api/v1/documents"
    key = {"Authorization": f"Bearer {Variable.get('postroom_key')}"}
    once = {"Idempotency-Key": hashlib.sha256(name.encode() + b"\0" + content).hexdigest()}
    answer = requests.post(
        base, headers=key | once, files={"file": (name, content)}, data={"sender_email": sender}, timeout=60
    )
    until = time.monotonic() + PATIENCE.total_seconds()
    while True:
        answer.raise_for_status()
        document: dict[str, Any] = answer.json()
        if document["status"] == "failed":
            raise RuntimeError(f"{name}: {document['because']}")
        if document["status"] != "waiting":
            return document
        if time.monotonic() > until:
            raise TimeoutError(f"{name} was not read within {PATIENCE}.")
        time.sleep(2)
        answer = requests.get(f"{base}/{document['id']}", headers=key, timeout=60)


def ledger_id(message_id: str) -> str:
    """The column holds 255 characters; Postroom does the same with longer ones."""
    return message_id if len(message_id) <= 255 else hashlib.sha256(message_id.encode()).hexdigest()


def handle(hook: PostgresHook, mailbox: Mailbox, message: dict[str, Any], worker: str) -> str:
    """Check, claim, process, and say how it went. Every statement is a commit of its own."""
    key = ledger_id(message["id"])
    if hook.get_first(CHECK, parameters=[key]):
        return "done already"
    sender = (message.get("from") or {}).get("emailAddress", {}).get("address")
    received, subject = message.get("receivedDateTime"), message.get("subject")
    claimed = hook.run(
        CLAIM,
        parameters=[key, mailbox.address, (sender or "")[:255] or None, received, subject, worker],
        handler=lambda cursor: cursor.fetchone(),
    )
    if not claimed:
        return "somebody else has it"
    try:
        attachments, trades, paths = process(mailbox, message)
    except Exception as problem:  # noqa: BLE001 - every failure is written down, and the others go on
        hook.run(FAILED, parameters=[str(problem)[:2000], key])
        return "failed"
    hook.run(SUCCESS, parameters=[attachments, trades, json.dumps(paths), key])
    return "success"


@dag(schedule="0 5 * * *", start_date=datetime(2026, 1, 1, tzinfo=UTC), catchup=False, max_active_runs=1)
def contract_notes_backstop() -> None:
    @task(retries=3, retry_delay=timedelta(minutes=5), retry_exponential_backoff=True)
    def sweep() -> dict[str, int]:
        context = get_current_context()
        instance = context["ti"]
        worker = f"airflow:{instance.dag_id}:{instance.run_id}:{instance.try_number}"[:255]
        hook, mailbox = PostgresHook("ledger"), Mailbox()
        link = Variable.get("contract_notes_delta_link", default_var=None)
        messages, next_link = mailbox.changes(link)
        known = {ledger_id(message["id"]) for message in messages}
        window = datetime.now(UTC) - WINDOW
        for (failed,) in hook.get_records(TO_RETRY, parameters=[mailbox.address, window]):
            if failed not in known and (again := mailbox.message(failed)) is not None:
                messages.append(again)
        counts: dict[str, int] = {}
        for message in messages:
            if message.get("hasAttachments", True):
                outcome = handle(hook, mailbox, message, worker)
                counts[outcome] = counts.get(outcome, 0) + 1
        Variable.set("contract_notes_delta_link", next_link)  # last: a crash before it only means looking again
        if counts.get("failed"):
            raise AirflowFailException(f"Some failed; the next run tries them again: {counts}")
        return counts

    sweep()


contract_notes_backstop()
