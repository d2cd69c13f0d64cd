# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict


class ComputeEstimate(TypedDict):
    compute_s: float
    low_s: float
    high_s: float
    basis: Literal["measured", "planned"]
    samples: int
    device: Literal["cpu", "gpu"]


class CurationPlanInputStagesItem(TypedDict):
    strategy: str
    parameters: NotRequired[dict[str, JsonValue]]


class CurationPlanInput(TypedDict):
    seed: NotRequired[int]
    stages: List[CurationPlanInputStagesItem]


class CurationPlanSummaryPlanStagesItem(TypedDict):
    strategy: str
    parameters: dict[str, JsonValue]


class CurationPlanSummaryPlan(TypedDict):
    seed: int
    stages: List[CurationPlanSummaryPlanStagesItem]


class CurationPlanSummary(TypedDict):
    id: str
    project_id: str
    name: str
    created_at: str
    created_by: str
    plan: CurationPlanSummaryPlan
    plan_hash: str
    input_hash: str
    episodes_kept: int
    episodes_dropped: int


class EpisodeSummary(TypedDict):
    id: str
    project_id: str
    source_id: str
    run_id: str
    receipt_id: str
    dataset_path: str
    name: str
    index: int
    format: str
    kind: Kind
    decision: Literal["accept", "review", "reject"]
    score: float | None
    graded_fraction: float
    duration_s: float
    start_ns: str | None
    robot: str | None
    task: str | None
    outcome: Literal["success", "failure", "unknown"]
    flags: List[str]
    tags: List[str]
    review_decision: Literal["accept", "review", "reject"] | None
    reviewed_at: str | None
    created_at: str
    updated_at: str


class ExportChosen(TypedDict):
    decisions: List[Literal["accept", "review", "reject"]]
    named: int | None
    slice_id: str | None
    curation_id: str | None
    without: int
    edits: dict[str, List[str]]
    annotations: bool | None


class ExportCertification(TypedDict):
    origin: Literal["service", "local_report_import", "local_report"]
    policy_version: int
    input_hash: str


class ExportEpisodesDroppedByItem(TypedDict):
    stage: Literal["without", "curation", "slice", "episode_ids", "decision", "held_out"]
    episodes: int


class ExportEpisodes(TypedDict):
    kept: int
    dropped: int
    dropped_by: List[ExportEpisodesDroppedByItem]
    written: int


class Export(TypedDict):
    id: str
    project_id: str
    source_id: str | None
    dataset_path: str
    format: Literal["lerobot-v3", "lerobot-v2.1", "webdataset", "coco-detection", "image-folder", "zarr-replay-buffer", "mcap", "certified-bundle"]
    rate_hz: float | None
    status: Literal["queued", "running", "succeeded", "failed", "cancelled", "sealed"]
    chosen: ExportChosen
    purpose: Literal["training", "evaluation", "certification"]
    certification: ExportCertification | None
    episodes: ExportEpisodes
    files: int
    bytes: int
    seal: str | None
    estimate_usd: float
    reserved_usd: float
    measured_usd: float
    compute_s: float
    error: RunError | None
    waiting: RunError | None
    created_by: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    sealed_by: str | None
    sealed_at: str | None


class FailureQueryFailures(TypedDict):
    import_id: str
    neighbours: int
    novel_from: float


class FailureQuery(TypedDict):
    failures: FailureQueryFailures


class Finding(TypedDict):
    code: str
    severity: Literal["info", "warning", "error", "blocking"]
    path: str | None
    message: str
    advice: str
    evidence: NotRequired[dict[str, JsonValue]]


JobLayerId: TypeAlias = "Literal[\"metadata\", \"captions\", \"segments\", \"object_labels\", \"dense_text\", \"hand_pose\", \"body_pose\", \"tracks\", \"segmentation\", \"depth\", \"optical_flow\", \"representation_3d\", \"annotation_review\"]"


JsonValue: TypeAlias = "Any"


Kind: TypeAlias = "Literal[\"teleop\", \"egocentric\", \"drive-log\", \"aerial-flight\", \"state-only\", \"vision-asset\"]"


LayerId: TypeAlias = "Literal[\"metadata\", \"captions\", \"segments\", \"object_labels\", \"dense_text\", \"hand_pose\", \"body_pose\", \"tracks\", \"segmentation\", \"depth\", \"optical_flow\", \"representation_3d\"]"


ModelSurfaceId: TypeAlias = "Literal[\"detection\", \"depth\", \"optical_flow\", \"hand_pose\", \"body_pose\", \"masks\", \"tracking\", \"captioning\", \"reviewing\", \"text_embedding\"]"


class ProblemErrorsItem(TypedDict):
    pointer: str
    message: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Literal["usage", "bad_request", "unauthenticated", "budget_exceeded", "forbidden", "method_not_allowed", "conflict", "idempotency_conflict", "plan_changed", "not_ready", "layer_off", "layer_inapplicable", "layer_unavailable", "already_produced", "report_project_mismatch", "policy_not_registered", "too_long_to_wait", "payload_too_large", "unsupported_media_type", "range_not_satisfiable", "invalid_request", "layer_not_servable", "invalid_settings", "source_not_allowed", "hash_mismatch", "rate_limited", "output_unwritable", "not_found", "not_permitted", "not_recognised", "unreadable_input", "unsupported_version", "limit_exceeded", "verification_failed", "media_refused", "media_failed", "busy", "folder_locked", "database_unavailable", "storage_unavailable", "signing_failed", "provider_failed", "endpoint_unavailable", "endpoint_failed", "cancelled", "unfinished", "internal"]
    request_id: str
    advice: NotRequired[str]
    errors: NotRequired[List[ProblemErrorsItem]]


class RankedByMoment(TypedDict):
    from_s: float
    to_s: float


class RankedBy(TypedDict):
    id: str
    version: int
    says: str
    model: NotRequired[str]
    note: NotRequired[str]
    exact: bool
    moment: RankedByMoment | None


Role: TypeAlias = "Literal[\"viewer\", \"reviewer\", \"engineer\", \"admin\"]"


class RunSettingsChecksValue(TypedDict):
    enabled: NotRequired[bool]
    threshold_offset: NotRequired[float]
    weight_factor: NotRequired[float]


class RunSettings(TypedDict):
    checks: NotRequired[dict[str, RunSettingsChecksValue]]
    loaders: NotRequired[List[str]]


class RunKindsItem(TypedDict):
    kind: Kind
    episodes: int


class RunEpisodes(TypedDict):
    expected: int
    measured: int
    judged: int
    unreadable: int


class RunDecisions(TypedDict):
    accept: int
    review: int
    reject: int


class RunUsabilityReasonsItem(TypedDict):
    code: str
    effect: Literal["refuses_set", "refuses_rows", "serves_wrong_rows", "stops_training", "unreadable", "rejected"]
    episodes: int | None
    remedy: Literal["fix", "export", "restore"]


class RunUsability(TypedDict):
    verdict: Literal["usable", "usable_after_fix", "not_usable"]
    usable_episodes: int
    reasons: List[RunUsabilityReasonsItem]


class RunBytes(TypedDict):
    expected: int
    measured: int
    fetched: int


class RunLayersItem(TypedDict):
    layer: LayerId
    status: Literal["waiting", "running", "succeeded", "partial", "failed", "cancelled", "skipped", "inapplicable", "unavailable"]
    job_id: str | None
    reason: str | None
    compute_s: float
    cost_usd: float


class Run(TypedDict):
    id: str
    project_id: str
    source_id: str
    type: Literal["assess", "rescore"]
    base_run_id: str | None
    status: Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"]
    stage: Literal["look", "measure", "compare", "judge", "annotate", "done"]
    attempt: int
    settings: RunSettings
    kind_override: Kind | None
    kind: Kind | None
    kinds: List[RunKindsItem]
    plan_hash: str | None
    episodes: RunEpisodes
    decisions: RunDecisions
    usability: RunUsability | None
    loader: str | None
    bytes: RunBytes
    source_revision: str | None
    layers: List[RunLayersItem]
    compute_s: float
    cost_usd: float
    error: RunError | None
    waiting: RunError | None
    created_at: str
    created_by: str
    started_at: str | None
    finished_at: str | None


class RunError(TypedDict):
    code: str
    message: str
    path: str | None
    advice: str | None


class SearchCoverageNotRankedItem(TypedDict):
    reason: str
    episodes: int


class SearchCoverage(TypedDict):
    matched: int
    ranked: int
    not_ranked: List[SearchCoverageNotRankedItem]


class SearchFilter(TypedDict):
    text: NotRequired[str]
    task: NotRequired[List[str]]
    outcome: NotRequired[List[Literal["success", "failure", "unknown"]]]
    robot: NotRequired[List[str]]
    object: NotRequired[List[str]]
    flag: NotRequired[List[str]]
    decision: NotRequired[List[Literal["accept", "review", "reject"]]]
    kind: NotRequired[List[Kind]]
    min_score: NotRequired[float]
    max_score: NotRequired[float]
    min_duration_s: NotRequired[float]
    max_duration_s: NotRequired[float]
    review_decision: NotRequired[List[Literal["accept", "review", "reject", "none"]]]
    tags: NotRequired[List[str]]
    layer: NotRequired[List[LayerId]]
    source_id: NotRequired[List[str]]
    run_id: NotRequired[List[str]]


class SearchQuery(TypedDict):
    filter: SearchFilter
    rank: SearchRank | None


class SearchRankText(TypedDict):
    by: Literal["text"]
    text: str
    match: NotRequired[Literal["meaning", "words"]]


class SearchRankLikeMoment(TypedDict):
    from_s: float
    to_s: float


class SearchRankLike(TypedDict):
    by: Literal["like"]
    episode_id: str
    descriptor: str
    moment: SearchRankLikeMoment | None


SearchRank: TypeAlias = "SearchRankText | SearchRankLike"


class Slice(TypedDict):
    id: str
    project_id: str
    name: str
    query: SearchQuery | FailureQuery
    ranked_by: RankedBy | None
    coverage: SearchCoverage
    settings_hash: str
    response_hash: str
    episodes: int
    locked: bool
    locked_at: str | None
    locked_by: str | None
    created_at: str
    created_by: str


TargetProfileId: TypeAlias = "Literal[\"vla\", \"behaviour-cloning\", \"diffusion-policy\", \"world-model\", \"ssl-encoder\", \"detector\"]"


UseCaseId: TypeAlias = "Literal[\"robotic-manipulation\", \"autonomous-driving\", \"drones-aerial\", \"vision-datasets\", \"spatial-world-models\", \"humanoids-mobile\", \"data-assessment\"]"


UseCaseName: TypeAlias = "Literal[\"robotic-manipulation\", \"autonomous-driving\", \"drones-aerial\", \"vision-datasets\", \"spatial-world-models\", \"humanoids-mobile\", \"data-assessment\", \"data-certification\"]"
