# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

from .shared import (
    JsonValue,
    TargetProfileId,
)


class CertificationBounds(TypedDict):
    metric: Literal["format.loadable", "timeline.monotonic", "timeline.gap_ratio", "timeline.jitter", "sync.overlap", "sync.content_lag", "kinematics.violations", "kinematics.frozen_ratio", "action.saturation", "gripper.convention", "calibration.drift", "camera.coverage", "camera.frozen_frames", "image.decodable", "image.blur", "image.exposure", "image.duplicates", "stereo.reprojection", "language.instruction_present", "language.caption_coverage", "language.caption_boundaries", "language.caption_video_agreement", "annotation.coverage", "split.leakage"]
    need: Literal["required", "if_present", "advisory"]
    unit: str
    direction: Literal["lower_is_better", "higher_is_better"]
    ideal: float
    review: float
    allowed_share: float
    source: str


class CertificationDecisionApplicable(TypedDict):
    episode: str
    applicability: Literal["applicable"]
    verdict: Literal["certified", "review_required", "not_ready"]
    observed: float
    confidence: Literal["high", "medium", "low"]
    inputs: dict[str, JsonValue]
    provenance: str
    diagnostics: NotRequired[dict[str, JsonValue]]


class CertificationDecisionNotAssessable(TypedDict):
    episode: str
    applicability: Literal["not_assessable"]
    verdict: Literal["not_assessable"]
    reason: str


CertificationDecision: TypeAlias = "CertificationDecisionApplicable | CertificationDecisionNotAssessable"


class CertificationDryRunBefore(TypedDict):
    verdict: Literal["certified", "review_required", "not_ready", "not_assessable"]
    coverage: float | None


class CertificationDryRunAfter(TypedDict):
    verdict: Literal["certified", "review_required", "not_ready", "not_assessable"]
    coverage: float | None


class CertificationDryRunChangesItem(TypedDict):
    episode: str
    before: Literal["certified", "review_required", "not_ready", "not_assessable"]
    after: Literal["certified", "review_required", "not_ready", "not_assessable"]


class CertificationDryRun(TypedDict):
    before: CertificationDryRunBefore
    after: CertificationDryRunAfter
    episodes: int
    changed: int
    changes: List[CertificationDryRunChangesItem]


class CertificationListedDecisionApplicable(TypedDict):
    episode: str
    applicability: Literal["applicable"]
    verdict: Literal["certified", "review_required", "not_ready"]
    observed: float
    confidence: Literal["high", "medium", "low"]
    inputs: dict[str, JsonValue]
    provenance: str
    diagnostics: NotRequired[dict[str, JsonValue]]
    metric: Literal["format.loadable", "timeline.monotonic", "timeline.gap_ratio", "timeline.jitter", "sync.overlap", "sync.content_lag", "kinematics.violations", "kinematics.frozen_ratio", "action.saturation", "gripper.convention", "calibration.drift", "camera.coverage", "camera.frozen_frames", "image.decodable", "image.blur", "image.exposure", "image.duplicates", "stereo.reprojection", "language.instruction_present", "language.caption_coverage", "language.caption_boundaries", "language.caption_video_agreement", "annotation.coverage", "split.leakage"]


class CertificationListedDecisionNotAssessable(TypedDict):
    episode: str
    applicability: Literal["not_assessable"]
    verdict: Literal["not_assessable"]
    reason: str
    metric: Literal["format.loadable", "timeline.monotonic", "timeline.gap_ratio", "timeline.jitter", "sync.overlap", "sync.content_lag", "kinematics.violations", "kinematics.frozen_ratio", "action.saturation", "gripper.convention", "calibration.drift", "camera.coverage", "camera.frozen_frames", "image.decodable", "image.blur", "image.exposure", "image.duplicates", "stereo.reprojection", "language.instruction_present", "language.caption_coverage", "language.caption_boundaries", "language.caption_video_agreement", "annotation.coverage", "split.leakage"]


CertificationListedDecision: TypeAlias = "CertificationListedDecisionApplicable | CertificationListedDecisionNotAssessable"


class CertificationMetricCounts(TypedDict):
    certified: int
    review_required: int
    not_ready: int
    not_assessable: int


class CertificationMetricObserved(TypedDict):
    minimum: float
    median: float
    maximum: float


class CertificationMetric(TypedDict):
    metric: Literal["format.loadable", "timeline.monotonic", "timeline.gap_ratio", "timeline.jitter", "sync.overlap", "sync.content_lag", "kinematics.violations", "kinematics.frozen_ratio", "action.saturation", "gripper.convention", "calibration.drift", "camera.coverage", "camera.frozen_frames", "image.decodable", "image.blur", "image.exposure", "image.duplicates", "stereo.reprojection", "language.instruction_present", "language.caption_coverage", "language.caption_boundaries", "language.caption_video_agreement", "annotation.coverage", "split.leakage"]
    need: Literal["required", "if_present", "advisory"]
    unit: str
    direction: Literal["lower_is_better", "higher_is_better"]
    ideal: float
    review: float
    allowed_share: float
    source: str
    title: str
    formula: str
    inputs: str
    verdict: Literal["certified", "review_required", "not_ready", "not_assessable"]
    reason: str
    counts: CertificationMetricCounts
    observed: CertificationMetricObserved | None
    decisions: List[CertificationDecision]
    diagnostics: List[str]


class CertificationMetricSummaryCounts(TypedDict):
    certified: int
    review_required: int
    not_ready: int
    not_assessable: int


class CertificationMetricSummaryObserved(TypedDict):
    minimum: float
    median: float
    maximum: float


class CertificationMetricSummary(TypedDict):
    metric: Literal["format.loadable", "timeline.monotonic", "timeline.gap_ratio", "timeline.jitter", "sync.overlap", "sync.content_lag", "kinematics.violations", "kinematics.frozen_ratio", "action.saturation", "gripper.convention", "calibration.drift", "camera.coverage", "camera.frozen_frames", "image.decodable", "image.blur", "image.exposure", "image.duplicates", "stereo.reprojection", "language.instruction_present", "language.caption_coverage", "language.caption_boundaries", "language.caption_video_agreement", "annotation.coverage", "split.leakage"]
    need: Literal["required", "if_present", "advisory"]
    unit: str
    direction: Literal["lower_is_better", "higher_is_better"]
    ideal: float
    review: float
    allowed_share: float
    source: str
    title: str
    formula: str
    inputs: str
    verdict: Literal["certified", "review_required", "not_ready", "not_assessable"]
    reason: str
    counts: CertificationMetricSummaryCounts
    observed: CertificationMetricSummaryObserved | None
    diagnostics: List[str]


class CertificationPolicy(TypedDict):
    schema: Literal["assay/certification-policy/v1"]
    target: TargetProfileId
    metrics: List[CertificationBounds]
    version: int | None
    policy_hash: str


CertificationPolicyDifferenceTarget = TypedDict(
    "CertificationPolicyDifferenceTarget",
    {
        "from": "TargetProfileId",
        "to": "TargetProfileId",
    },
)


CertificationPolicyDifferenceMetricsItem = TypedDict(
    "CertificationPolicyDifferenceMetricsItem",
    {
        "metric": "Literal[\"format.loadable\", \"timeline.monotonic\", \"timeline.gap_ratio\", \"timeline.jitter\", \"sync.overlap\", \"sync.content_lag\", \"kinematics.violations\", \"kinematics.frozen_ratio\", \"action.saturation\", \"gripper.convention\", \"calibration.drift\", \"camera.coverage\", \"camera.frozen_frames\", \"image.decodable\", \"image.blur\", \"image.exposure\", \"image.duplicates\", \"stereo.reprojection\", \"language.instruction_present\", \"language.caption_coverage\", \"language.caption_boundaries\", \"language.caption_video_agreement\", \"annotation.coverage\", \"split.leakage\"]",
        "from": "CertificationBounds | None",
        "to": "CertificationBounds | None",
    },
)


CertificationPolicyDifference = TypedDict(
    "CertificationPolicyDifference",
    {
        "from": "int | None",
        "to": "int | None",
        "target": "CertificationPolicyDifferenceTarget | None",
        "metrics": "List[CertificationPolicyDifferenceMetricsItem]",
    },
)


class CertificationPolicyInput(TypedDict):
    target: TargetProfileId
    metrics: List[CertificationBounds]


class CertificationReportEngine(TypedDict):
    name: Literal["assay"]
    version: str


class CertificationReportPolicy(TypedDict):
    target: TargetProfileId
    version: int | None
    policy_hash: str


class CertificationReportDataset(TypedDict):
    formats: List[str]
    episodes: int
    duration_s: float
    sources_sha256: str | None
    receipts_sha256: str


class CertificationReportCoverage(TypedDict):
    decisions: int
    of: int
    share: float | None


class CertificationReportEvidence(TypedDict):
    decisions: int
    of: int
    share: float | None


class CertificationReportEpisodesItem(TypedDict):
    id: str
    index: int
    receipt: str
    verdict: Literal["certified", "review_required", "not_ready", "not_assessable"]


class CertificationReport(TypedDict):
    schema: Literal["assay/certification-report/v2"]
    engine: CertificationReportEngine
    canonicalisation: Literal["RFC8785"]
    project_id: str | None
    policy: CertificationReportPolicy
    dataset: CertificationReportDataset
    verdict: Literal["certified", "review_required", "not_ready", "not_assessable"]
    reason: str
    coverage: CertificationReportCoverage
    evidence: CertificationReportEvidence
    episodes: List[CertificationReportEpisodesItem]
    metrics: List[CertificationMetric]
    limits: List[str]
    content_hash: str


CertificationReportAnswer: TypeAlias = "CertificationReport | CertificationReportSummary"


class CertificationReportSummaryEngine(TypedDict):
    name: Literal["assay"]
    version: str


class CertificationReportSummaryPolicy(TypedDict):
    target: TargetProfileId
    version: int | None
    policy_hash: str


class CertificationReportSummaryDataset(TypedDict):
    formats: List[str]
    episodes: int
    duration_s: float
    sources_sha256: str | None
    receipts_sha256: str


class CertificationReportSummaryCoverage(TypedDict):
    decisions: int
    of: int
    share: float | None


class CertificationReportSummaryEvidence(TypedDict):
    decisions: int
    of: int
    share: float | None


class CertificationReportSummaryEpisodeCounts(TypedDict):
    certified: int
    review_required: int
    not_ready: int
    not_assessable: int


class CertificationReportSummary(TypedDict):
    schema: Literal["assay/certification-report-summary/v1"]
    engine: CertificationReportSummaryEngine
    canonicalisation: Literal["RFC8785"]
    project_id: str | None
    policy: CertificationReportSummaryPolicy
    dataset: CertificationReportSummaryDataset
    verdict: Literal["certified", "review_required", "not_ready", "not_assessable"]
    reason: str
    coverage: CertificationReportSummaryCoverage
    evidence: CertificationReportSummaryEvidence
    metrics: List[CertificationMetricSummary]
    limits: List[str]
    content_hash: str
    episode_counts: CertificationReportSummaryEpisodeCounts


class SavedCertificationPolicyPolicy(TypedDict):
    schema: Literal["assay/certification-policy/v1"]
    target: TargetProfileId
    metrics: List[CertificationBounds]
    version: int
    policy_hash: str


class SavedCertificationPolicy(TypedDict):
    id: str
    project_id: str
    policy: SavedCertificationPolicyPolicy
    created_at: str
    created_by: str


class SigningKey(TypedDict):
    keyid: str
    algorithm: Literal["ed25519"]
    public_key: str
    place: Literal["local_file", "command"]
    valid_from: str
    valid_until: str | None


class ListCertificationKeysAnswer(TypedDict):
    items: List[SigningKey]
