# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypedDict

from .shared import (
    CurationPlanInput,
    JsonValue,
    TargetProfileId,
)


class AblationSubsetsItem(TypedDict):
    id: Literal["raw", "readiness_filtered", "curated"]
    how: str
    composition: Composition


class AblationProbe(TypedDict):
    status: Literal["not_run"]
    reason: str
    advice: str


class Ablation(TypedDict):
    project_id: str
    subsets: List[AblationSubsetsItem]
    plan_hash: str
    probe: AblationProbe
    limits: List[str]


class CompositionByDecisionItem(TypedDict):
    value: str | None
    episodes: int
    duration_s: float


class CompositionByTaskItem(TypedDict):
    value: str | None
    episodes: int
    duration_s: float


class CompositionByRobotItem(TypedDict):
    value: str | None
    episodes: int
    duration_s: float


class CompositionByOperatorItem(TypedDict):
    value: str | None
    episodes: int
    duration_s: float


class CompositionByOutcomeItem(TypedDict):
    value: str | None
    episodes: int
    duration_s: float


class CompositionByDurationItem(TypedDict):
    from_s: float
    to_s: float
    episodes: int


class CompositionActionCoverageMeasured(TypedDict):
    status: Literal["measured"]
    covered: int
    of: int
    share: float
    episodes: int


class CompositionActionCoverageNotAssessable(TypedDict):
    status: Literal["not_assessable"]
    reason: str


class CompositionSceneCoverageMeasured(TypedDict):
    status: Literal["measured"]
    covered: int
    of: int
    share: float
    episodes: int


class CompositionSceneCoverageNotAssessable(TypedDict):
    status: Literal["not_assessable"]
    reason: str


class Composition(TypedDict):
    episodes: int
    duration_s: float
    by_decision: List[CompositionByDecisionItem]
    by_task: List[CompositionByTaskItem]
    by_robot: List[CompositionByRobotItem]
    by_operator: List[CompositionByOperatorItem]
    by_outcome: List[CompositionByOutcomeItem]
    by_duration: List[CompositionByDurationItem]
    action_coverage: CompositionActionCoverageMeasured | CompositionActionCoverageNotAssessable
    scene_coverage: CompositionSceneCoverageMeasured | CompositionSceneCoverageNotAssessable
    unlisted_values: int


class CurationPlanPlanStagesItem(TypedDict):
    strategy: str
    parameters: dict[str, JsonValue]


class CurationPlanPlan(TypedDict):
    seed: int
    stages: List[CurationPlanPlanStagesItem]


class CurationPlanStagesItemReasonsItem(TypedDict):
    reason: str
    episodes: int


class CurationPlanStagesItem(TypedDict):
    stage: int
    strategy: str
    parameters: dict[str, JsonValue]
    looked_at: int
    dropped: int
    not_assessable: int
    trimmed: int
    boosted: int
    reasons: List[CurationPlanStagesItemReasonsItem]


class CurationPlanDroppedItem(TypedDict):
    id: str
    stage: int
    strategy: str
    reason: str


class CurationPlanTrimsValue(TypedDict):
    from_s: float
    to_s: float


class CurationPlan(TypedDict):
    id: str
    project_id: str
    name: str
    created_at: str
    created_by: str
    plan: CurationPlanPlan
    input_hash: str
    plan_hash: str
    stages: List[CurationPlanStagesItem]
    before: Composition
    after: Composition
    kept: List[str]
    dropped: List[CurationPlanDroppedItem]
    trims: dict[str, CurationPlanTrimsValue]
    boosts: dict[str, float]


class CurationRecommendationReasonsItem(TypedDict):
    strategy: str
    reason: str


class CurationRecommendationNotRecommendedItem(TypedDict):
    strategy: str
    reason: str


class CurationRecommendation(TypedDict):
    project_id: str
    target_profile: str
    plan: CurationPlanInput
    reasons: List[CurationRecommendationReasonsItem]
    not_recommended: List[CurationRecommendationNotRecommendedItem]


class CurationResultPlanStagesItem(TypedDict):
    strategy: str
    parameters: dict[str, JsonValue]


class CurationResultPlan(TypedDict):
    seed: int
    stages: List[CurationResultPlanStagesItem]


class CurationResultStagesItemReasonsItem(TypedDict):
    reason: str
    episodes: int


class CurationResultStagesItem(TypedDict):
    stage: int
    strategy: str
    parameters: dict[str, JsonValue]
    looked_at: int
    dropped: int
    not_assessable: int
    trimmed: int
    boosted: int
    reasons: List[CurationResultStagesItemReasonsItem]


class CurationResultDroppedItem(TypedDict):
    id: str
    stage: int
    strategy: str
    reason: str


class CurationResultTrimsValue(TypedDict):
    from_s: float
    to_s: float


class CurationResult(TypedDict):
    plan: CurationResultPlan
    input_hash: str
    plan_hash: str
    stages: List[CurationResultStagesItem]
    before: Composition
    after: Composition
    kept: List[str]
    dropped: List[CurationResultDroppedItem]
    trims: dict[str, CurationResultTrimsValue]
    boosts: dict[str, float]


class CurationStrategy(TypedDict):
    id: str
    title: str
    about: str
    source: str | None
    needs: List[str]
    parameters: dict[str, JsonValue]


class DistributionGapExpected(TypedDict):
    by: Literal["declared", "own_spread"]
    how: str


class DistributionGapGapsItem(TypedDict):
    rank: int
    aspect: Literal["task", "robot", "duration", "action_region", "scene", "phase"]
    part: str
    episodes: float
    expected_episodes: float
    missing_share: float


class DistributionGapNotAssessableItem(TypedDict):
    aspect: Literal["task", "robot", "duration", "action_region", "scene", "phase"]
    reason: str


class DistributionGap(TypedDict):
    project_id: str
    expected: DistributionGapExpected
    gaps: List[DistributionGapGapsItem]
    covered: List[Literal["task", "robot", "duration", "action_region", "scene", "phase"]]
    not_assessable: List[DistributionGapNotAssessableItem]
    episodes: int
    limits: List[str]


class OntologySummaryClassesItemPropertiesDecisionItem(TypedDict):
    value: str | None
    episodes: int


class OntologySummaryClassesItemPropertiesTaskItem(TypedDict):
    value: str | None
    episodes: int


class OntologySummaryClassesItemPropertiesRobotItem(TypedDict):
    value: str | None
    episodes: int


class OntologySummaryClassesItemPropertiesOutcomeItem(TypedDict):
    value: str | None
    episodes: int


class OntologySummaryClassesItemProperties(TypedDict):
    decision: List[OntologySummaryClassesItemPropertiesDecisionItem]
    task: List[OntologySummaryClassesItemPropertiesTaskItem]
    robot: List[OntologySummaryClassesItemPropertiesRobotItem]
    outcome: List[OntologySummaryClassesItemPropertiesOutcomeItem]


class OntologySummaryClassesItem(TypedDict):
    name: str
    status: Literal["declared_and_found", "found_not_declared", "declared_not_found"]
    found_as: List[str]
    found_by: List[Literal["recording", "metadata", "captions", "segments", "object_labels", "dense_text", "hand_pose", "body_pose", "tracks", "segmentation", "depth", "optical_flow", "representation_3d"]]
    episodes: int
    properties: OntologySummaryClassesItemProperties


class OntologySummary(TypedDict):
    project_id: str
    workspace_id: str
    classes: List[OntologySummaryClassesItem]
    declared: List[str]
    renames: dict[str, str]
    episodes: int
    episodes_with_labels: int
    limits: List[str]


class ProbeResultMeasuredHeldOut(TypedDict):
    episodes: int
    pairs: int
    why: str


class ProbeResultMeasuredPoliciesItem(TypedDict):
    id: Literal["ridge", "nearest_neighbours"]
    about: str


class ProbeResultMeasuredSubsetsItemLeftOutItem(TypedDict):
    reason: str
    episodes: int


class ProbeResultMeasuredSubsetsItemTraining(TypedDict):
    episodes: int
    pairs: int


class ProbeResultMeasuredSubsetsItemOutcomeMeasuredPoliciesItem(TypedDict):
    policy: Literal["ridge", "nearest_neighbours"]
    error: float
    interval: List[float]


class ProbeResultMeasuredSubsetsItemOutcomeMeasured(TypedDict):
    status: Literal["measured"]
    policies: List[ProbeResultMeasuredSubsetsItemOutcomeMeasuredPoliciesItem]


class ProbeResultMeasuredSubsetsItemOutcomeNotAssessable(TypedDict):
    status: Literal["not_assessable"]
    reason: str


class ProbeResultMeasuredSubsetsItem(TypedDict):
    id: Literal["raw", "accepted", "curated"]
    how: str
    episodes: int
    left_out: List[ProbeResultMeasuredSubsetsItemLeftOutItem]
    training: ProbeResultMeasuredSubsetsItemTraining
    outcome: ProbeResultMeasuredSubsetsItemOutcomeMeasured | ProbeResultMeasuredSubsetsItemOutcomeNotAssessable


class ProbeResultMeasuredComparisonsItemDifference(TypedDict):
    value: float
    interval: List[float]


class ProbeResultMeasuredComparisonsItem(TypedDict):
    policy: Literal["ridge", "nearest_neighbours"]
    subset: Literal["raw", "accepted", "curated"]
    against: Literal["raw", "accepted", "curated"]
    difference: ProbeResultMeasuredComparisonsItemDifference
    intervals_overlap: bool
    in_words: str


class ProbeResultMeasured(TypedDict):
    status: Literal["measured"]
    seed: int
    folds: int
    window_rows: int
    state_dims: int
    action_dims: int
    compared_dims: int
    held_out: ProbeResultMeasuredHeldOut
    policies: List[ProbeResultMeasuredPoliciesItem]
    subsets: List[ProbeResultMeasuredSubsetsItem]
    comparisons: List[ProbeResultMeasuredComparisonsItem]
    limits: List[str]


class ProbeResultNotAssessable(TypedDict):
    status: Literal["not_assessable"]
    reason: str
    limits: List[str]


class Probe(TypedDict):
    project_id: str
    result: ProbeResultMeasured | ProbeResultNotAssessable


class UtilityIntegrityChecksItem(TypedDict):
    id: str
    scored: int
    inapplicable: int
    not_assessable: int
    disabled: int
    mean_score: float | None


class UtilityIntegrity(TypedDict):
    score: float | None
    checks: List[UtilityIntegrityChecksItem]


class UtilitySemanticChecksItem(TypedDict):
    id: str
    scored: int
    inapplicable: int
    not_assessable: int
    disabled: int
    mean_score: float | None


class UtilitySemanticProxyMetricsItemResultMeasured(TypedDict):
    status: Literal["measured"]
    value: float


class UtilitySemanticProxyMetricsItemResultNotAssessable(TypedDict):
    status: Literal["not_assessable"]
    reason: str


class UtilitySemanticProxyMetricsItem(TypedDict):
    id: str
    about: str
    result: UtilitySemanticProxyMetricsItemResultMeasured | UtilitySemanticProxyMetricsItemResultNotAssessable


class UtilitySemantic(TypedDict):
    score: float | None
    checks: List[UtilitySemanticChecksItem]
    proxy_metrics: List[UtilitySemanticProxyMetricsItem]


class UtilityUtilitySignalsItem(TypedDict):
    id: Literal["kind", "accepted_episodes", "actions", "states", "cameras", "time", "instructions", "varied_instructions", "outcomes", "labels", "one_action_space"]
    level: Literal["required", "helps"]
    why: str
    status: Literal["met", "not_met", "not_assessable"]
    reason: str


class UtilityUtility(TypedDict):
    signals: List[UtilityUtilitySignalsItem]
    limits: List[str]


class UtilitySample(TypedDict):
    episodes: int
    of: int


class Utility(TypedDict):
    project_id: str
    target_profile: TargetProfileId
    integrity: UtilityIntegrity
    semantic: UtilitySemantic
    utility: UtilityUtility
    sample: UtilitySample


class ApplyCurationStagesItem(TypedDict):
    strategy: str
    parameters: NotRequired[dict[str, JsonValue]]


class SetOntologySummaryMergesItem(TypedDict):
    classes: List[str]
    into: str
