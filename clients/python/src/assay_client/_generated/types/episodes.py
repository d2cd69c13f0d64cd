# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

from .shared import (
    EpisodeSummary,
    Finding,
    JsonValue,
    Kind,
)


class CompareEpisodesOne(TypedDict):
    run_id: str


class CompareEpisodesOne2(TypedDict):
    slice_id: str


class CompareEpisodesOther(TypedDict):
    run_id: str


class CompareEpisodesOther2(TypedDict):
    slice_id: str


class CompareEpisodes(TypedDict):
    one: CompareEpisodesOne | CompareEpisodesOne2
    other: CompareEpisodesOther | CompareEpisodesOther2


class ComparedSideDecisions(TypedDict):
    accept: int
    review: int
    reject: int


class ComparedSideFlagsItem(TypedDict):
    value: str
    episodes: int


class ComparedSideTasksItem(TypedDict):
    value: str | None
    episodes: int


class ComparedSideRobotsItem(TypedDict):
    value: str | None
    episodes: int


class ComparedSideOutcomesItem(TypedDict):
    value: str | None
    episodes: int


class ComparedSideDurationsItem(TypedDict):
    from_s: float
    to_s: float
    episodes: int


class ComparedSide(TypedDict):
    run_id: str | None
    slice_id: str | None
    episodes: int
    duration_s: float
    decisions: ComparedSideDecisions
    median_score: float | None
    flags: List[ComparedSideFlagsItem]
    tasks: List[ComparedSideTasksItem]
    robots: List[ComparedSideRobotsItem]
    outcomes: List[ComparedSideOutcomesItem]
    durations: List[ComparedSideDurationsItem]


class ComponentScored(TypedDict):
    id: str
    threshold: float
    weight: float
    status: Literal["scored"]
    score: float
    inputs: dict[str, JsonValue]
    compared: NotRequired[dict[str, JsonValue]]


class Component2(TypedDict):
    id: str
    threshold: float
    weight: float
    status: Literal["inapplicable", "not_assessable", "disabled"]
    reason: str


Component: TypeAlias = "ComponentScored | Component2"


class EmbeddingMapPointsItem(TypedDict):
    id: str
    receipt_id: str
    name: str
    x: float
    y: float
    decision: Literal["accept", "review", "reject"]
    score: float | None
    task: str | None


class EmbeddingMapNotMappedItem(TypedDict):
    reason: str
    episodes: int


class EmbeddingMap(TypedDict):
    descriptor: str
    version: int
    says: str
    points: List[EmbeddingMapPointsItem]
    not_mapped: List[EmbeddingMapNotMappedItem]
    more: bool


EpisodeKindFacts = TypedDict(
    "EpisodeKindFacts",
    {
        "from": "Literal[\"pinned\", \"streams\"]",
        "by_streams": "Kind",
        "judged_as": "Kind",
        "evidence": "List[str]",
    },
)


class EpisodeOutcomeFacts(TypedDict):
    value: Literal["success", "failure", "unknown"]
    evidence: Literal["declared", "known_format", "measured", "unknown"]
    reason: str


EpisodeLocatorSpan = TypedDict(
    "EpisodeLocatorSpan",
    {
        "unit": "Literal[\"row\", \"s\", \"record\"]",
        "from": "float",
        "to": "float",
    },
)


class EpisodeLocator(TypedDict):
    format: str
    path: str
    span: NotRequired[EpisodeLocatorSpan]


class EpisodeSourcesItem(TypedDict):
    path: str
    bytes: int
    sha256: str | None
    role: str


class EpisodeGrippersItem(TypedDict):
    stream: str
    dimension: int
    name: str | None
    unit: str
    range_observed: List[float]
    open_value: float | None
    evidence: Literal["declared", "known_format", "measured", "unknown"]
    reason: str


class EpisodeViewsIntegrity(TypedDict):
    score: float | None
    checks: List[Component]


class EpisodeViewsSemantic(TypedDict):
    score: float | None
    checks: List[Component]


class EpisodeViewsUtilitySignalsItem(TypedDict):
    signal: Literal["actions", "states", "cameras", "instruction", "outcome", "labels"]
    status: Literal["present", "absent", "not_assessable"]
    reason: str


class EpisodeViewsUtility(TypedDict):
    signals: List[EpisodeViewsUtilitySignalsItem]


class EpisodeViews(TypedDict):
    integrity: EpisodeViewsIntegrity
    semantic: EpisodeViewsSemantic
    utility: EpisodeViewsUtility


class EpisodeReceipt(TypedDict):
    id: str
    content_hash: str
    settings_hash: str
    engine_version: str
    sealed_at: str


class EpisodeLinks(TypedDict):
    receipt: str
    streams: str
    reviews: str
    annotations: str
    run: str
    source: str
    project: str


class Episode(TypedDict):
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
    kind_facts: EpisodeKindFacts
    decision_reason: str
    flag_details: List[Flag]
    tasks: List[str] | None
    outcome_facts: EpisodeOutcomeFacts
    findings: List[Finding]
    limits: List[str]
    locator: EpisodeLocator
    sources: List[EpisodeSourcesItem]
    grippers: List[EpisodeGrippersItem]
    streams: List[StreamFacts]
    views: EpisodeViews
    receipt: EpisodeReceipt
    review: Review | None
    links: EpisodeLinks


class EpisodeComparisonChangesItemOne(TypedDict):
    decision: Literal["accept", "review", "reject"]
    score: float | None
    flags: List[str]


class EpisodeComparisonChangesItemOther(TypedDict):
    decision: Literal["accept", "review", "reject"]
    score: float | None
    flags: List[str]


class EpisodeComparisonChangesItem(TypedDict):
    episode_id: str
    name: str
    one: EpisodeComparisonChangesItemOne
    other: EpisodeComparisonChangesItemOther


class EpisodeComparison(TypedDict):
    project_id: str
    one: ComparedSide
    other: ComparedSide
    both: int
    only_one: int
    only_other: int
    decided_otherwise: int
    flagged_otherwise: int
    changes: List[EpisodeComparisonChangesItem]


class EpisodePose(TypedDict):
    label: str
    kind: Literal["end_effector", "object", "camera", "base", "other"]
    stream_id: str
    unit: Literal["m"] | None
    z_axis: Literal["up", "down"]
    rows: int
    time_s: List[float]
    x: List[float]
    y: List[float]
    z: List[float]
    starts: List[int]
    quaternions: List[List[float] | None] | None
    orientation_problem: str | None


class EpisodePoses(TypedDict):
    poses: List[EpisodePose]


class EpisodeStreamUnit(TypedDict):
    unit: str
    evidence: Literal["declared", "known_format", "measured", "unknown"]
    reason: str


class EpisodeStreamClock(TypedDict):
    name: str
    provenance: str
    reason: str
    others: List[str]


class EpisodeStreamLinks(TypedDict):
    samples: str
    frames: str | None


class EpisodeStream(TypedDict):
    id: str
    role: str
    modality: str
    shape: List[int]
    unit: EpisodeStreamUnit
    sample_count: int
    declared_rate_hz: float | None
    measured_rate_hz: float | None
    clock: EpisodeStreamClock | None
    event_driven: NotRequired[str]
    links: EpisodeStreamLinks


class Flag(TypedDict):
    code: str
    check: str
    severity: Literal["blocking", "warning", "info"]
    score: float
    threshold: float
    observed: float
    message: str
    advice: str
    marks: List[Mark]


class Mark(TypedDict):
    stream: str
    from_s: float
    to_s: float
    dimension: NotRequired[int]


class PlaybackCamerasItemLinks(TypedDict):
    video: str


class PlaybackCamerasItem(TypedDict):
    stream_id: str
    codec: str | None
    mime: str | None
    width_px: float | None
    height_px: float | None
    rate_hz: float | None
    frames: int
    starts_s: float | None
    last_s: float | None
    part_s: float | None
    problem: str | None
    links: PlaybackCamerasItemLinks


class Playback(TypedDict):
    duration_s: float
    cameras: List[PlaybackCamerasItem]
    signals: List[StreamSamples]
    omitted: List[str]


class ProjectFinding(TypedDict):
    source_id: str
    run_id: str
    dataset_path: str | None
    format: str | None
    code: str
    severity: Literal["info", "warning", "error", "blocking"]
    path: str | None
    message: str
    advice: str
    evidence: NotRequired[dict[str, JsonValue]]


class ProjectSummaryDecisions(TypedDict):
    accept: int
    review: int
    reject: int


class ProjectSummaryEffectiveDecisions(TypedDict):
    accept: int
    review: int
    reject: int


class ProjectSummaryScore(TypedDict):
    lowest: float | None
    median: float | None
    highest: float | None
    unscored: int
    histogram: List[int]


class ProjectSummaryReviews(TypedDict):
    reviewed: int
    overruled: int


class ProjectSummaryKindsItem(TypedDict):
    value: Kind
    episodes: int


class ProjectSummaryOutcomesItem(TypedDict):
    value: Literal["success", "failure", "unknown"]
    episodes: int


class ProjectSummaryRobotsItem(TypedDict):
    value: str | None
    episodes: int


class ProjectSummaryFlagsItem(TypedDict):
    value: str
    episodes: int


class ProjectSummaryFindings(TypedDict):
    blocking: int
    error: int
    warning: int
    info: int


class ProjectSummary(TypedDict):
    project_id: str
    episodes: int
    duration_s: float
    sources: int
    tasks: int
    decisions: ProjectSummaryDecisions
    effective_decisions: ProjectSummaryEffectiveDecisions
    score: ProjectSummaryScore
    reviews: ProjectSummaryReviews
    kinds: List[ProjectSummaryKindsItem]
    outcomes: List[ProjectSummaryOutcomesItem]
    robots: List[ProjectSummaryRobotsItem]
    flags: List[ProjectSummaryFlagsItem]
    findings: ProjectSummaryFindings
    worst: List[EpisodeSummary]
    text: str


class Review(TypedDict):
    id: str
    episode_id: str
    decision: Literal["accept", "review", "reject"]
    note: str
    receipt_id: str
    current: bool
    created_at: str
    created_by: str
    withdrawn_at: str | None
    withdrawn_by: str | None


class StreamFactsUnit(TypedDict):
    unit: str
    evidence: Literal["declared", "known_format", "measured", "unknown"]
    reason: str


class StreamFactsClock(TypedDict):
    name: str
    provenance: str
    reason: str
    others: List[str]


class StreamFacts(TypedDict):
    id: str
    role: str
    modality: str
    shape: List[int]
    unit: StreamFactsUnit
    sample_count: int
    declared_rate_hz: float | None
    measured_rate_hz: float | None
    clock: StreamFactsClock | None
    event_driven: NotRequired[str]


class StreamSamplesDimensionsItem(TypedDict):
    index: int
    name: str | None
    min: List[float | None]
    max: List[float | None]
    not_finite: List[int]


StreamSamples = TypedDict(
    "StreamSamples",
    {
        "stream_id": "str",
        "axis": "Literal[\"time_s\", \"row\"]",
        "from": "float",
        "to": "float",
        "rows": "int",
        "total_rows": "int",
        "at": "List[float]",
        "dims": "int",
        "dimensions": "List[StreamSamplesDimensionsItem]",
    },
)


class ReceiptEngine(TypedDict):
    name: Literal["assay"]
    version: str


ReceiptEpisodeLocatorSpan = TypedDict(
    "ReceiptEpisodeLocatorSpan",
    {
        "unit": "Literal[\"row\", \"s\", \"record\"]",
        "from": "float",
        "to": "float",
    },
)


class ReceiptEpisodeLocator(TypedDict):
    format: str
    path: str
    span: NotRequired[ReceiptEpisodeLocatorSpan]


class ReceiptEpisodeCut(TypedDict):
    recording: str
    part: int
    from_s: float
    to_s: float
    begins: str
    ends: str
    recipe: dict[str, JsonValue] | None
    recipe_hash: str | None


class ReceiptEpisodeDeclaredRate(TypedDict):
    hz: float
    source: str
    used: bool


class ReceiptEpisodeOutcome(TypedDict):
    value: Literal["success", "failure", "unknown"]
    evidence: Literal["declared", "known_format", "measured", "unknown"]
    reason: str


class ReceiptEpisode(TypedDict):
    id: str
    index: int
    locator: ReceiptEpisodeLocator
    cut: NotRequired[ReceiptEpisodeCut]
    declared_rate: NotRequired[ReceiptEpisodeDeclaredRate]
    split: NotRequired[str]
    start_ns: str | None
    duration_s: float
    robot: str | None
    tasks: List[str] | None
    outcome: ReceiptEpisodeOutcome


class ReceiptKind(TypedDict):
    kind: Kind
    evidence: List[str]


class ReceiptSourcesItem(TypedDict):
    path: str
    bytes: int
    sha256: str | None
    role: str


class ReceiptStreamsItemUnit(TypedDict):
    unit: str
    evidence: Literal["declared", "known_format", "measured", "unknown"]
    reason: str


class ReceiptStreamsItemClock(TypedDict):
    name: str
    provenance: str
    reason: str
    others: List[str]


class ReceiptStreamsItem(TypedDict):
    id: str
    role: str
    modality: str
    shape: List[int]
    unit: ReceiptStreamsItemUnit
    sample_count: int
    declared_rate_hz: float | None
    measured_rate_hz: float | None
    clock: ReceiptStreamsItemClock | None
    event_driven: NotRequired[str]


class ReceiptFactsTimelineRows(TypedDict):
    moving: int
    leaping: int


class ReceiptFactsTimeline(TypedDict):
    clocks: int
    recorded: int
    samples: int
    reversals: int
    non_finite: int
    jitter: float | None
    jitter_stream: str | None
    lost_share: float | None
    lost_stream: str | None
    dropped_share: float | None
    rows: ReceiptFactsTimelineRows | None


class ReceiptFactsContentLag(TypedDict):
    camera: str
    against: str
    cameras: int
    lag_ms: float
    step_ms: float
    peak: float
    second_ratio: float
    width_ms: float
    excitation: float
    samples: int
    sure: bool
    reason: str | None
    control_delay_ms: float | None


class ReceiptFacts(TypedDict):
    timeline: NotRequired[ReceiptFactsTimeline]
    same_rows: NotRequired[bool]
    content_lag: NotRequired[ReceiptFactsContentLag]


class ReceiptGrippersItem(TypedDict):
    stream: str
    dimension: int
    name: str | None
    unit: str
    range_observed: List[float]
    open_value: float | None
    evidence: Literal["declared", "known_format", "measured", "unknown"]
    reason: str


class Receipt(TypedDict):
    schema: Literal["assay/receipt/v1"]
    engine: ReceiptEngine
    canonicalisation: Literal["RFC8785"]
    episode: ReceiptEpisode
    kind: ReceiptKind
    sources: List[ReceiptSourcesItem]
    streams: List[ReceiptStreamsItem]
    facts: NotRequired[ReceiptFacts]
    grippers: List[ReceiptGrippersItem]
    checks: List[Component]
    flags: List[Flag]
    findings: List[Finding]
    score: float | None
    graded_fraction: float
    decision: Literal["accept", "review", "reject"]
    decision_reason: str
    loaders: NotRequired[List[str]]
    settings_hash: str
    pictures: NotRequired[Literal["none", "all"]]
    limits: List[str]
    content_hash: str
