# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import TypeAlias, TypedDict


class CreatedWebhook(TypedDict):
    id: str
    name: str
    project_id: str | None
    events: List[NotificationEventType] | None
    enabled: bool
    created_at: str
    created_by: str
    updated_at: str
    url: str
    disabled_reason: Literal["gone"] | None
    previous_secret_until: str | None
    secret: str


class EmailSubscription(TypedDict):
    id: str
    name: str
    project_id: str | None
    events: List[NotificationEventType] | None
    enabled: bool
    created_at: str
    created_by: str
    updated_at: str
    email: str


class NotificationDelivery(TypedDict):
    id: str
    event: NotificationEvent
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    response_status: int | None
    duration_ms: int | None
    error: str | None
    created_at: str
    last_attempt_at: str | None
    next_attempt_at: str | None
    redelivery_of: str | None


class NotificationEventAssayEventV1Links(TypedDict):
    web: str
    api: str


class NotificationEventAssayEventV1DataDecisions(TypedDict):
    accept: int
    review: int
    reject: int


class NotificationEventAssayEventV1Data(TypedDict):
    run_id: str
    source_id: str
    run_type: Literal["assess", "rescore"]
    status: Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"]
    episodes: int
    decisions: NotificationEventAssayEventV1DataDecisions
    error_code: str | None


class NotificationEventAssayEventV1(TypedDict):
    schema: Literal["assay/event/v1"]
    id: str
    created_at: str
    tenant_id: str
    message: str
    links: NotificationEventAssayEventV1Links
    project_id: str
    type: Literal["run.finished"]
    data: NotificationEventAssayEventV1Data


class NotificationEventAssayEventV12Links(TypedDict):
    web: str
    api: str


class NotificationEventAssayEventV12Data(TypedDict):
    run_id: str
    source_id: str
    reasons: List[str]


class NotificationEventAssayEventV12(TypedDict):
    schema: Literal["assay/event/v1"]
    id: str
    created_at: str
    tenant_id: str
    message: str
    links: NotificationEventAssayEventV12Links
    project_id: str
    type: Literal["set.not_usable"]
    data: NotificationEventAssayEventV12Data


class NotificationEventAssayEventV13Links(TypedDict):
    web: str
    api: str


class NotificationEventAssayEventV13Data(TypedDict):
    run_id: str
    episodes: int


class NotificationEventAssayEventV13(TypedDict):
    schema: Literal["assay/event/v1"]
    id: str
    created_at: str
    tenant_id: str
    message: str
    links: NotificationEventAssayEventV13Links
    project_id: str
    type: Literal["review_queue.filled"]
    data: NotificationEventAssayEventV13Data


class NotificationEventAssayEventV14Links(TypedDict):
    web: str
    api: str


class NotificationEventAssayEventV14DataEpisodes(TypedDict):
    total: int
    done: int
    failed: int


class NotificationEventAssayEventV14Data(TypedDict):
    job_id: str
    run_id: str | None
    layer: str
    episodes: NotificationEventAssayEventV14DataEpisodes
    error_code: str | None


class NotificationEventAssayEventV14(TypedDict):
    schema: Literal["assay/event/v1"]
    id: str
    created_at: str
    tenant_id: str
    message: str
    links: NotificationEventAssayEventV14Links
    project_id: str
    type: Literal["job.failed"]
    data: NotificationEventAssayEventV14Data


class NotificationEventAssayEventV15Links(TypedDict):
    web: str
    api: str


class NotificationEventAssayEventV15Data(TypedDict):
    threshold: float
    cap_usd: float
    spent_usd: float
    reserved_usd: float


class NotificationEventAssayEventV15(TypedDict):
    schema: Literal["assay/event/v1"]
    id: str
    created_at: str
    tenant_id: str
    message: str
    links: NotificationEventAssayEventV15Links
    project_id: None
    type: Literal["budget.threshold_reached"]
    data: NotificationEventAssayEventV15Data


class NotificationEventAssayEventV16Links(TypedDict):
    web: str
    api: str


class NotificationEventAssayEventV16Data(TypedDict):
    pass


class NotificationEventAssayEventV16(TypedDict):
    schema: Literal["assay/event/v1"]
    id: str
    created_at: str
    tenant_id: str
    message: str
    links: NotificationEventAssayEventV16Links
    project_id: str | None
    type: Literal["test"]
    data: NotificationEventAssayEventV16Data


NotificationEvent: TypeAlias = "NotificationEventAssayEventV1 | NotificationEventAssayEventV12 | NotificationEventAssayEventV13 | NotificationEventAssayEventV14 | NotificationEventAssayEventV15 | NotificationEventAssayEventV16"


NotificationEventType: TypeAlias = "Literal[\"run.finished\", \"set.not_usable\", \"review_queue.filled\", \"job.failed\", \"budget.threshold_reached\"]"


class Webhook(TypedDict):
    id: str
    name: str
    project_id: str | None
    events: List[NotificationEventType] | None
    enabled: bool
    created_at: str
    created_by: str
    updated_at: str
    url: str
    disabled_reason: Literal["gone"] | None
    previous_secret_until: str | None
