# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.notifications import (
    CreatedWebhook,
    EmailSubscription,
    NotificationDelivery,
    NotificationEventType,
    Webhook,
)


class AsyncNotificationsOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def list_webhooks(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        project_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Webhook]:
        """List webhooks, newest first.

        With `project_id`, only webhooks that are limited to this project.

        Requires the role `admin` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_webhooks", {"limit": limit, "cursor": cursor, "project_id": project_id}, options)

    async def create_webhook(
        self,
        *,
        name: str,
        url: str,
        project_id: str | Omitted = OMITTED,
        events: List[NotificationEventType] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CreatedWebhook:
        """Create a webhook.

        Events are sent as `POST` with a JSON body (`NotificationEvent`), signed as the Standard
        Webhooks specification describes. The secret is shown only once. The address must be
        `https://` and public; the operator can allow other networks.

        Requires the role `admin` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("create_webhook", {"name": name, "project_id": project_id, "events": events, "url": url}, options)

    async def get_webhook(
        self,
        *,
        webhook_id: str,
        options: CallOptions | None = None,
    ) -> Webhook:
        """Get a webhook.

        Requires the role `admin` or higher.

        webhook_id: Id: `whk_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_webhook", {"webhook_id": webhook_id}, options)

    async def update_webhook(
        self,
        *,
        webhook_id: str,
        name: str | Omitted = OMITTED,
        events: List[NotificationEventType] | None | Omitted = OMITTED,
        enabled: bool | Omitted = OMITTED,
        url: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Webhook:
        """Rename, redirect, enable or disable a webhook, or choose its events.

        Requires the role `admin` or higher.

        webhook_id: Id: `whk_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("update_webhook", {"webhook_id": webhook_id, "name": name, "events": events, "enabled": enabled, "url": url}, options)

    async def delete_webhook(
        self,
        *,
        webhook_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a webhook and its deliveries.

        Requires the role `admin` or higher.

        webhook_id: Id: `whk_` followed by a time-ordered UUID in base32.
        """
        await self._calls.call("delete_webhook", {"webhook_id": webhook_id}, options)

    async def rotate_webhook_secret(
        self,
        *,
        webhook_id: str,
        options: CallOptions | None = None,
    ) -> CreatedWebhook:
        """Replace the secret of a webhook.

        The new secret is shown only once. For 24 hours, deliveries are signed with both secrets, so
        that receivers can change over.

        Requires the role `admin` or higher.

        webhook_id: Id: `whk_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("rotate_webhook_secret", {"webhook_id": webhook_id}, options)

    async def test_webhook(
        self,
        *,
        webhook_id: str,
        options: CallOptions | None = None,
    ) -> NotificationDelivery:
        """Send a test event to a webhook.

        Works for disabled webhooks too. The answer is the queued delivery; list the deliveries for
        its result.

        Requires the role `admin` or higher.

        webhook_id: Id: `whk_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("test_webhook", {"webhook_id": webhook_id}, options)

    async def list_webhook_deliveries(
        self,
        *,
        webhook_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        status: Literal["pending", "delivered", "failed"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[NotificationDelivery]:
        """List the deliveries of a webhook, newest first.

        Deliveries are kept for 30 days.

        Requires the role `admin` or higher.

        webhook_id: Id: `whk_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_webhook_deliveries", {"webhook_id": webhook_id, "limit": limit, "cursor": cursor, "status": status}, options)

    async def redeliver_webhook(
        self,
        *,
        webhook_id: str,
        delivery_id: str,
        options: CallOptions | None = None,
    ) -> NotificationDelivery:
        """Send the event of a delivery to the webhook again.

        Requires the role `admin` or higher.

        webhook_id: Id: `whk_` followed by a time-ordered UUID in base32.
        delivery_id: Id: `dlv_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("redeliver_webhook", {"webhook_id": webhook_id, "delivery_id": delivery_id}, options)

    async def list_email_subscriptions(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        project_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[EmailSubscription]:
        """List email subscriptions, newest first.

        With `project_id`, only subscriptions that are limited to this project.

        Requires the role `admin` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_email_subscriptions", {"limit": limit, "cursor": cursor, "project_id": project_id}, options)

    async def create_email_subscription(
        self,
        *,
        name: str,
        email: str,
        project_id: str | Omitted = OMITTED,
        events: List[NotificationEventType] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> EmailSubscription:
        """Subscribe an email address to events.

        Returns 409 `not_ready` if the operator has set no mail server.

        Requires the role `admin` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("create_email_subscription", {"name": name, "project_id": project_id, "events": events, "email": email}, options)

    async def get_email_subscription(
        self,
        *,
        subscription_id: str,
        options: CallOptions | None = None,
    ) -> EmailSubscription:
        """Get an email subscription.

        Requires the role `admin` or higher.

        subscription_id: Id: `sbs_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_email_subscription", {"subscription_id": subscription_id}, options)

    async def update_email_subscription(
        self,
        *,
        subscription_id: str,
        name: str | Omitted = OMITTED,
        events: List[NotificationEventType] | None | Omitted = OMITTED,
        enabled: bool | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> EmailSubscription:
        """Rename, enable or disable an email subscription, or choose its events.

        Requires the role `admin` or higher.

        subscription_id: Id: `sbs_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("update_email_subscription", {"subscription_id": subscription_id, "name": name, "events": events, "enabled": enabled}, options)

    async def delete_email_subscription(
        self,
        *,
        subscription_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete an email subscription and its deliveries.

        Requires the role `admin` or higher.

        subscription_id: Id: `sbs_` followed by a time-ordered UUID in base32.
        """
        await self._calls.call("delete_email_subscription", {"subscription_id": subscription_id}, options)

    async def test_email_subscription(
        self,
        *,
        subscription_id: str,
        options: CallOptions | None = None,
    ) -> NotificationDelivery:
        """Send a test event to a subscribed address.

        Works for disabled subscriptions too. The answer is the queued delivery; list the deliveries
        for its result.

        Requires the role `admin` or higher.

        subscription_id: Id: `sbs_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("test_email_subscription", {"subscription_id": subscription_id}, options)

    async def list_email_deliveries(
        self,
        *,
        subscription_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        status: Literal["pending", "delivered", "failed"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[NotificationDelivery]:
        """List the deliveries of an email subscription, newest first.

        Deliveries are kept for 30 days.

        Requires the role `admin` or higher.

        subscription_id: Id: `sbs_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_email_deliveries", {"subscription_id": subscription_id, "limit": limit, "cursor": cursor, "status": status}, options)

    async def redeliver_email(
        self,
        *,
        subscription_id: str,
        delivery_id: str,
        options: CallOptions | None = None,
    ) -> NotificationDelivery:
        """Send the event of a delivery to the address again.

        Requires the role `admin` or higher.

        subscription_id: Id: `sbs_` followed by a time-ordered UUID in base32.
        delivery_id: Id: `dlv_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("redeliver_email", {"subscription_id": subscription_id, "delivery_id": delivery_id}, options)
