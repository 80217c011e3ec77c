"""Microsoft's own client (msgraph-sdk, azure-identity) finds in the simulator what it expects of the service."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta

import pytest

from simulators.graph.office import ANNA, BERT, mail

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the vendors' modules warn about one another
    from kiota_abstractions.base_request_configuration import RequestConfiguration
    from msgraph.generated.models.body_type import BodyType
    from msgraph.generated.models.category_color import CategoryColor
    from msgraph.generated.models.email_address import EmailAddress
    from msgraph.generated.models.file_attachment import FileAttachment
    from msgraph.generated.models.internet_message_header import InternetMessageHeader
    from msgraph.generated.models.item_attachment import ItemAttachment
    from msgraph.generated.models.item_body import ItemBody
    from msgraph.generated.models.message import Message
    from msgraph.generated.models.o_data_errors.o_data_error import ODataError
    from msgraph.generated.models.outlook_category import OutlookCategory
    from msgraph.generated.models.recipient import Recipient
    from msgraph.generated.models.single_value_legacy_extended_property import SingleValueLegacyExtendedProperty
    from msgraph.generated.models.subscription import Subscription
    from msgraph.generated.users.item.mail_folders.item.messages.delta.delta_request_builder import DeltaRequestBuilder
    from msgraph.generated.users.item.messages.item.create_forward.create_forward_post_request_body import (
        CreateForwardPostRequestBody,
    )
    from msgraph.generated.users.item.messages.item.create_reply.create_reply_post_request_body import (
        CreateReplyPostRequestBody,
    )
    from msgraph.generated.users.item.messages.item.create_reply_all.create_reply_all_post_request_body import (
        CreateReplyAllPostRequestBody,
    )
    from msgraph.generated.users.item.messages.item.message_item_request_builder import MessageItemRequestBuilder
    from msgraph.generated.users.item.messages.item.move.move_post_request_body import MovePostRequestBody
    from msgraph.generated.users.item.messages.messages_request_builder import MessagesRequestBuilder
    from msgraph.generated.users.item.send_mail.send_mail_post_request_body import SendMailPostRequestBody
from simulators.graph.vendors.over_tls import PDF, note

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the vendors, about themselves

KEY = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name DraftKey"


def recipient(address: str) -> Recipient:
    return Recipient(email_address=EmailAddress(address=address))


def immutable() -> RequestConfiguration:
    config = RequestConfiguration()
    config.headers.add("Prefer", 'IdType="ImmutableId"')
    return config


async def test_msgraph_lists_gets_and_pages(desk, graph):
    for number in range(3):
        desk.deliver(mail(f"Mail {number}"))
        desk.sim.clock.advance(timedelta(seconds=1))
    options = MessagesRequestBuilder.MessagesRequestBuilderGetQueryParameters(
        select=["subject", "receivedDateTime", "from"], top=2, orderby=["receivedDateTime desc"]
    )
    messages = graph.users.by_user_id(ANNA).messages

    first = await messages.get(request_configuration=RequestConfiguration(query_parameters=options))
    second = await messages.with_url(first.odata_next_link).get()
    whole = await messages.by_message_id(first.value[0].id).get()

    assert [one.subject for one in first.value + second.value] == ["Mail 2", "Mail 1", "Mail 0"]
    assert isinstance(first.value[0].received_date_time, datetime)
    assert whole.from_.email_address.address == "notes@broker.test"
    assert whole.body.content_type == BodyType.Html
    assert whole.is_draft is False


async def test_msgraph_filters_by_time(desk, graph):
    desk.deliver(mail("Old"))
    since = (desk.sim.clock.now() + timedelta(minutes=1)).isoformat()
    desk.sim.clock.advance(timedelta(minutes=2))
    desk.deliver(mail("New"))
    options = MessagesRequestBuilder.MessagesRequestBuilderGetQueryParameters(filter=f"receivedDateTime ge {since}")

    found = await graph.users.by_user_id(ANNA).messages.get(
        request_configuration=RequestConfiguration(query_parameters=options)
    )

    assert [one.subject for one in found.value] == ["New"]


async def test_msgraph_reads_attachments_and_mime(desk, graph):
    key = desk.deliver(note())
    message = graph.users.by_user_id(ANNA).messages.by_message_id(key)

    file, item = (await message.attachments.get()).value
    value = await message.content.get()

    assert isinstance(file, FileAttachment)
    assert file.content_bytes == PDF
    assert isinstance(item, ItemAttachment)
    assert b"Subject: Contract note" in value


async def test_msgraph_walks_a_delta(desk, graph):
    keys = {desk.deliver() for _ in range(3)}
    delta = graph.users.by_user_id(ANNA).mail_folders.by_mail_folder_id("inbox").messages.delta
    options = DeltaRequestBuilder.DeltaRequestBuilderGetQueryParameters(select=["subject"], top=2)
    config = immutable()
    config.query_parameters = options

    first = await delta.get(request_configuration=config)
    second = await delta.with_url(first.odata_next_link).get(request_configuration=immutable())
    moved = keys.pop()
    desk.sim.move(ANNA, moved, "archive")
    third = await delta.with_url(second.odata_delta_link).get(request_configuration=immutable())

    assert {one.id for one in first.value + second.value} == keys | {moved}
    assert [one.id for one in third.value] == [moved]
    assert third.value[0].additional_data["@removed"]["reason"] == "deleted"


async def test_msgraph_drafts_replies_and_sends(desk, graph):
    key = desk.deliver(mail("Question", sender=BERT))
    messages = graph.users.by_user_id(ANNA).messages
    reply = await messages.by_message_id(key).create_reply.post(
        CreateReplyPostRequestBody(), request_configuration=immutable()
    )
    change = Message(body=ItemBody(content_type=BodyType.Html, content="<p>Answer</p>"))
    changed = await messages.by_message_id(reply.id).patch(change, request_configuration=immutable())
    await messages.by_message_id(reply.id).send.post()
    sent = await messages.by_message_id(reply.id).get(request_configuration=immutable())
    arrived = await graph.users.by_user_id(BERT).messages.get()

    assert (reply.is_draft, reply.subject) == (True, "RE: Question")
    assert changed.change_key != reply.change_key
    assert (sent.id, sent.is_draft) == (reply.id, False)
    assert [one.subject for one in arrived.value] == ["RE: Question"]


async def test_msgraph_marks_a_draft_finds_it_and_carries_its_headers(desk, graph):
    messages = graph.users.by_user_id(ANNA).messages
    marked = Message(
        subject="Marked",
        to_recipients=[recipient(BERT)],
        internet_message_headers=[InternetMessageHeader(name="X-Desk-Key", value="K-1")],
        single_value_extended_properties=[SingleValueLegacyExtendedProperty(id=KEY, value="K-1")],
    )

    made = await messages.post(marked, request_configuration=immutable())
    query = MessagesRequestBuilder.MessagesRequestBuilderGetQueryParameters(
        filter=f"singleValueExtendedProperties/Any(ep: ep/id eq '{KEY}' and ep/value eq 'K-1')",
        expand=[f"singleValueExtendedProperties($filter=id eq '{KEY}')"],
    )
    found = await messages.get(RequestConfiguration(query_parameters=query))
    raw = await messages.by_message_id(made.id).content.get()
    await messages.by_message_id(made.id).send.post()
    chosen = MessagesRequestBuilder.MessagesRequestBuilderGetQueryParameters(select=["internetMessageHeaders"])
    [arrived] = (await graph.users.by_user_id(BERT).messages.get(RequestConfiguration(query_parameters=chosen))).value

    [draft] = found.value
    assert [(KEY, "K-1")] == [(one.id, one.value) for one in draft.single_value_extended_properties]
    assert b"X-Desk-Key: K-1" in raw
    assert ("X-Desk-Key", "K-1") in [(one.name, one.value) for one in arrived.internet_message_headers]


async def test_msgraph_is_told_that_its_version_is_stale(desk, graph):
    draft = graph.users.by_user_id(ANNA).messages
    made = await draft.post(Message(subject="Draft"), request_configuration=immutable())
    config = immutable()
    config.headers.add("If-Match", f'W/"{made.change_key}"')
    desk.sim.edit_draft(ANNA, made.id, body="<p>By hand</p>")

    with pytest.raises(ODataError) as caught:
        await draft.by_message_id(made.id).patch(Message(subject="Ours"), request_configuration=config)

    assert (412, "ErrorIrresolvableConflict") == (caught.value.response_status_code, caught.value.error.code)
    assert "By hand" in desk.sim.item(ANNA, made.id).props["body"]["content"]


async def test_msgraph_answers_all_forwards_moves_and_deletes(desk, graph):
    key = desk.deliver(mail("Question", sender=BERT, to=f"{ANNA}, carl@client.test"))
    message = graph.users.by_user_id(ANNA).messages.by_message_id(key)

    to_all = await message.create_reply_all.post(CreateReplyAllPostRequestBody())
    forward = await message.create_forward.post(CreateForwardPostRequestBody(to_recipients=[recipient(BERT)]))
    moved = await message.move.post(MovePostRequestBody(destination_id="archive"), request_configuration=immutable())
    await graph.users.by_user_id(ANNA).messages.by_message_id(forward.id).delete()

    assert [BERT, "carl@client.test"] == [one.email_address.address for one in to_all.to_recipients]
    assert "FW: Question" == forward.subject
    assert key == moved.id
    assert ["RE: Question"] == [
        one.props["subject"] for one in desk.sim.mailboxes[ANNA].folder("drafts").items.values()
    ]


async def test_msgraph_puts_categories_on_mail(desk, graph):
    key = desk.deliver()
    user = graph.users.by_user_id(ANNA)

    made = await user.outlook.master_categories.post(
        OutlookCategory(display_name="Desk/Ready", color=CategoryColor.Preset4)
    )
    await user.messages.by_message_id(key).patch(Message(categories=["Desk/Ready", "Theirs"]))
    again = MessageItemRequestBuilder.MessageItemRequestBuilderGetQueryParameters(select=["categories"])
    shown = await user.messages.by_message_id(key).get(RequestConfiguration(query_parameters=again))
    listed = await user.outlook.master_categories.get()

    assert ["Desk/Ready", "Theirs"] == shown.categories
    assert [(made.id, "Desk/Ready", CategoryColor.Preset4)] == [
        (one.id, one.display_name, one.color) for one in listed.value
    ]


async def test_msgraph_waits_as_long_as_it_is_told_to(desk, graph):
    desk.sim.faults.turn(retry_after=2)
    desk.sim.faults.plan("graph.messages.create", "throttled")

    made = await graph.users.by_user_id(ANNA).messages.post(Message(subject="Draft"))

    seen = desk.sim.gate.traffic.at(ANNA)
    assert "Draft" == made.subject
    assert (2, 1, 0) == (seen["requests"], seen["throttled"], seen["too_early"])


async def test_msgraph_is_denied_what_its_app_may_not_do(desk, graph):
    desk.sim.register_app("app", "secret", roles=frozenset({"Mail.ReadWrite"}))
    messages = graph.users.by_user_id(ANNA).messages
    made = await messages.post(Message(subject="Draft", to_recipients=[recipient(BERT)]))

    with pytest.raises(ODataError) as caught:
        await messages.by_message_id(made.id).send.post()

    assert (403, "ErrorAccessDenied") == (caught.value.response_status_code, caught.value.error.code)
    assert [] == list(desk.sim.mailboxes[BERT].everything.items)


async def test_msgraph_sends_in_one_shot_with_a_file(desk, graph):
    body = SendMailPostRequestBody(
        message=Message(
            subject="With file",
            to_recipients=[recipient(BERT)],
            body=ItemBody(content="x", content_type=BodyType.Text),
            attachments=[
                FileAttachment(
                    odata_type="#microsoft.graph.fileAttachment",
                    name="a.pdf",
                    content_type="application/pdf",
                    content_bytes=PDF,
                )
            ],
        ),
        save_to_sent_items=False,
    )

    await graph.users.by_user_id(ANNA).send_mail.post(body)

    [arrived] = desk.sim.mailboxes[BERT].everything.items.values()
    assert [(one.name, one.data) for one in arrived.attached] == [("a.pdf", PDF)]


async def test_msgraph_subscribes_renews_reauthorizes_and_deletes(desk, graph):
    asked = Subscription(
        change_type="created",
        notification_url=f"{desk.hook.url}/notify",
        resource=f"users/{ANNA}/mailFolders('inbox')/messages",
        expiration_date_time=datetime.now(UTC) + timedelta(minutes=100),
        client_state="secret",
    )

    made = await graph.subscriptions.post(asked, request_configuration=immutable())
    one = graph.subscriptions.by_subscription_id(made.id)
    renewed = await one.patch(Subscription(expiration_date_time=datetime.now(UTC) + timedelta(minutes=200)))
    await one.reauthorize.post()
    listed = await graph.subscriptions.get()
    key = desk.deliver()
    await desk.sim.settle()
    await one.delete()

    assert renewed.expiration_date_time > made.expiration_date_time
    assert [(row.id, row.client_state) for row in listed.value] == [(made.id, None)]
    assert [item["resourceData"]["id"] for item in desk.hook.items] == [key]
    assert (await graph.subscriptions.get()).value == []


async def test_msgraph_understands_our_refusals(desk, graph):
    with pytest.raises(ODataError) as caught:
        await graph.users.by_user_id(ANNA).messages.by_message_id("none").get()

    assert caught.value.response_status_code == 404
    assert caught.value.error.code == "ErrorItemNotFound"
