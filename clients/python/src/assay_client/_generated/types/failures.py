# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypedDict

from .shared import (
    CurationPlanSummary,
    Export,
    Slice,
)


class ClosedLoop(TypedDict):
    import_id: str
    slice: Slice | None
    boosted: int
    curation: CurationPlanSummary
    export: Export


class FailureNearestItem(TypedDict):
    episode_id: str
    distance: float


class Failure(TypedDict):
    id: str
    import_id: str
    record_id: str
    task: str | None
    failure_mode: str | None
    time_s: float | None
    occurred_at: str | None
    episode_id: str | None
    verdict: Literal["near", "novel", "not_assessable"]
    reason: str | None
    by: Literal["motion", "words"] | None
    distance: float | None
    novelty: float | None
    nearest: List[FailureNearestItem]


class FailureImportBaseline(TypedDict):
    episodes: int
    motion: int
    words: int


class FailureImport(TypedDict):
    id: str
    project_id: str
    name: str
    neighbours: int
    novel_from: float
    failures: int
    near: int
    novel: int
    not_assessable: int
    baseline: FailureImportBaseline
    notes: List[str]
    slice_id: str | None
    created_at: str
    created_by: str


class FailureRecord(TypedDict):
    id: str
    task: NotRequired[str]
    failure_mode: NotRequired[str]
    time_s: NotRequired[float]
    occurred_at: NotRequired[str]
    episode: NotRequired[str]
    recording: NotRequired[str]
    trajectory: NotRequired[Trajectory]


class Trajectory(TypedDict):
    rate_hz: NotRequired[float]
    times_s: NotRequired[List[float]]
    state: NotRequired[List[List[float]]]
    action: NotRequired[List[List[float]]]


class ImportFailuresFile(TypedDict):
    format: Literal["json", "csv", "lerobot-eval"]
    text: str
