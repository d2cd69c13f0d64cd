# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

from .shared import (
    Finding,
    Kind,
    LayerId,
    Run,
)


class RunPlanSettingsChecksValue(TypedDict):
    enabled: NotRequired[bool]
    threshold_offset: NotRequired[float]
    weight_factor: NotRequired[float]


class RunPlanSettings(TypedDict):
    checks: NotRequired[dict[str, RunPlanSettingsChecksValue]]
    loaders: NotRequired[List[str]]


class RunPlanDatasetsItem(TypedDict):
    path: str
    format: str
    version: str | None
    units: int
    episodes: int
    bytes: int
    cameras: List[str]


class RunPlanStepsItem(TypedDict):
    id: Literal["look", "measure", "compare", "judge", "annotate"]
    title: str
    reads: str
    writes: str
    episodes: int
    bytes: int


class RunPlanEstimatePartsItem(TypedDict):
    work: Literal["readiness", "metadata", "captions", "segments", "object_labels", "dense_text", "hand_pose", "body_pose", "tracks", "segmentation", "depth", "optical_flow", "representation_3d"]
    compute_s: float
    low_s: float
    high_s: float
    basis: Literal["measured", "planned"]
    samples: int
    device: Literal["cpu", "gpu"]
    cost_usd: float


class RunPlanEstimate(TypedDict):
    compute_s: float
    low_s: float
    high_s: float
    cost_usd: float
    parts: List[RunPlanEstimatePartsItem]


class RunPlan(TypedDict):
    source_id: str
    plan_hash: str
    settings: RunPlanSettings
    kind_override: Kind | None
    datasets: List[RunPlanDatasetsItem]
    steps: List[RunPlanStepsItem]
    layers: List[LayerId]
    units: int
    episodes: int
    bytes: int
    estimate: RunPlanEstimate
    findings: List[Finding]


class RunProgress(TypedDict):
    run_id: str
    stage: Literal["look", "measure", "compare", "judge", "annotate", "done"]
    done: int
    total: int
    bytes_done: int
    bytes_total: int
    bytes_fetched: int
    episodes_per_s: float
    eta_s: float | None


class StreamRunEventRun(TypedDict):
    id: NotRequired[str]
    event: Literal["run"]
    data: Run


class StreamRunEventProgress(TypedDict):
    id: NotRequired[str]
    event: Literal["progress"]
    data: RunProgress


class StreamRunEventFinding(TypedDict):
    id: NotRequired[str]
    event: Literal["finding"]
    data: Finding


StreamRunEvent: TypeAlias = "StreamRunEventRun | StreamRunEventProgress | StreamRunEventFinding"
