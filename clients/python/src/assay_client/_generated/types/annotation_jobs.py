# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

from .shared import (
    ComputeEstimate,
    JobLayerId,
    RunError,
)


class AnnotationJobEpisodes(TypedDict):
    total: int
    done: int
    failed: int
    skipped: int


class AnnotationJobFailuresItem(TypedDict):
    episode_id: str
    error: RunError


class AnnotationJobDevicesItem(TypedDict):
    device: Literal["cpu", "gpu"]
    compute_s: float
    cost_usd: float


class AnnotationJob(TypedDict):
    id: str
    project_id: str
    layer: JobLayerId
    status: Literal["queued", "running", "cancelling", "succeeded", "partial", "failed", "cancelled"]
    origin: Literal["queue", "run", "episode"]
    run_id: str | None
    created_by: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    episodes: AnnotationJobEpisodes
    failures: List[AnnotationJobFailuresItem]
    config: dict[str, float | bool | str | List[str]]
    model: str | None
    force: bool
    estimate: ComputeEstimate | None
    estimate_usd: float
    reserved_usd: float
    measured_usd: float
    compute_s: float
    devices: List[AnnotationJobDevicesItem]
    device_note: str | None
    prompt_tokens: int
    completion_tokens: int
    narrowed_from: int | None
    attempts: int
    error: RunError | None
    waiting: RunError | None
    eta_s: float | None


class AnnotationJobPreview(TypedDict):
    layer: JobLayerId
    model: str | None
    config: dict[str, float | bool | str | List[str]]
    episodes: int
    narrowed_from: int | None
    estimate: ComputeEstimate | None
    estimate_usd: float
    job_id: str | None


class AnnotationJobProgress(TypedDict):
    job_id: str
    done: int
    total: int
    episode_id: str | None
    eta_s: float | None


class StreamAnnotationJobsEventSnapshotData(TypedDict):
    items: List[AnnotationJob]


class StreamAnnotationJobsEventSnapshot(TypedDict):
    id: NotRequired[str]
    event: Literal["snapshot"]
    data: StreamAnnotationJobsEventSnapshotData


class StreamAnnotationJobsEventJob(TypedDict):
    id: NotRequired[str]
    event: Literal["job"]
    data: AnnotationJob


class StreamAnnotationJobsEventProgress(TypedDict):
    id: NotRequired[str]
    event: Literal["progress"]
    data: AnnotationJobProgress


class StreamAnnotationJobsEventHeartbeatData(TypedDict):
    at: str


class StreamAnnotationJobsEventHeartbeat(TypedDict):
    id: NotRequired[str]
    event: Literal["heartbeat"]
    data: StreamAnnotationJobsEventHeartbeatData


StreamAnnotationJobsEvent: TypeAlias = "StreamAnnotationJobsEventSnapshot | StreamAnnotationJobsEventJob | StreamAnnotationJobsEventProgress | StreamAnnotationJobsEventHeartbeat"
