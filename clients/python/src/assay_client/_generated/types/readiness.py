# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypedDict

from .shared import (
    Kind,
    Run,
    TargetProfileId,
    UseCaseId,
)


class ProjectReadinessSettingsChecksItemApplies(TypedDict):
    status: Literal["applies", "does_not_apply", "unknown"]
    reason: str


class ProjectReadinessSettingsChecksItemEnabled(TypedDict):
    default: bool
    stored: bool | None
    effective: bool


class ProjectReadinessSettingsChecksItemThreshold(TypedDict):
    default: float
    source: str
    stored_offset: float | None
    effective: float


class ProjectReadinessSettingsChecksItemWeight(TypedDict):
    default: float
    use_case_factor: float | None
    use_case_reason: str | None
    stored_factor: float | None
    effective: float


class ProjectReadinessSettingsChecksItemFlagsItem(TypedDict):
    code: str
    severity: Literal["blocking", "warning", "info"]
    meaning: str
    advice: str


class ProjectReadinessSettingsChecksItem(TypedDict):
    id: str
    title: str
    view: Literal["integrity", "semantic"]
    needs: str
    kinds: List[Kind]
    formula: str
    calibrated_on: str
    applies: ProjectReadinessSettingsChecksItemApplies
    enabled: ProjectReadinessSettingsChecksItemEnabled
    threshold: ProjectReadinessSettingsChecksItemThreshold
    weight: ProjectReadinessSettingsChecksItemWeight
    flags: List[ProjectReadinessSettingsChecksItemFlagsItem]
    comparisons: List[str]


class ProjectReadinessSettingsLoadersItem(TypedDict):
    id: str
    title: str
    reads: str
    marker: str | None
    chosen: bool


class ProjectReadinessSettingsBounds(TypedDict):
    threshold_offset: List[float]
    weight_factor: List[float]


class ProjectReadinessSettingsDecision(TypedDict):
    accept: float
    reject: float
    graded_fraction: float


class ProjectReadinessSettingsStoredChecksValue(TypedDict):
    enabled: NotRequired[bool]
    threshold_offset: NotRequired[float]
    weight_factor: NotRequired[float]


class ProjectReadinessSettingsStored(TypedDict):
    checks: NotRequired[dict[str, ProjectReadinessSettingsStoredChecksValue]]
    loaders: NotRequired[List[str]]


class ProjectReadinessSettingsSettingsFileChecksValue(TypedDict):
    enabled: NotRequired[bool]
    threshold_offset: NotRequired[float]
    weight_factor: NotRequired[float]


class ProjectReadinessSettingsSettingsFile(TypedDict):
    checks: NotRequired[dict[str, ProjectReadinessSettingsSettingsFileChecksValue]]
    loaders: NotRequired[List[str]]


class ProjectReadinessSettingsAdjustedItem(TypedDict):
    pointer: str
    asked: float
    stored: float
    reason: str


class ProjectReadinessSettings(TypedDict):
    project_id: str
    use_case: UseCaseId
    data_kind: Kind | None
    checks: List[ProjectReadinessSettingsChecksItem]
    loaders: List[ProjectReadinessSettingsLoadersItem]
    bounds: ProjectReadinessSettingsBounds
    decision: ProjectReadinessSettingsDecision
    stored: ProjectReadinessSettingsStored
    ignored: List[str]
    settings_file: ProjectReadinessSettingsSettingsFile
    settings_hash: str
    episodes: int
    episodes_judged_otherwise: int
    adjusted: List[ProjectReadinessSettingsAdjustedItem]
    notes: List[str]


class TargetReadinessRequirementsItem(TypedDict):
    id: Literal["kind", "accepted_episodes", "actions", "states", "cameras", "time", "instructions", "varied_instructions", "outcomes", "labels", "one_action_space"]
    level: Literal["required", "helps"]
    status: Literal["met", "not_met", "not_assessable"]
    reason: str
    why: str


class TargetReadinessActionSpaceDiagnosedGroupsItemSpaceEvidence(TypedDict):
    evidence: Literal["declared", "measured", "unknown"]
    reason: str


class TargetReadinessActionSpaceDiagnosedGroupsItemDimensionsItem(TypedDict):
    stream: str
    dimension: int
    name: str | None


class TargetReadinessActionSpaceDiagnosedGroupsItemScores(TypedDict):
    absolute: float
    step_delta: float
    chunk_relative: float


class TargetReadinessActionSpaceDiagnosedGroupsItem(TypedDict):
    space: Literal["joint", "end_effector", "gripper", "base", "unknown"]
    space_evidence: TargetReadinessActionSpaceDiagnosedGroupsItemSpaceEvidence
    dimensions: List[TargetReadinessActionSpaceDiagnosedGroupsItemDimensionsItem]
    representation: Literal["absolute", "step_delta", "chunk_relative", "undetermined"]
    leaning: Literal["absolute", "step_delta", "chunk_relative"] | None
    confidence: float
    scores: TargetReadinessActionSpaceDiagnosedGroupsItemScores
    lag_rows: int | None
    lag_ms: float | None
    gain: float | None
    units: Literal["as_state", "per_second", "scaled"] | None
    relative_to: Literal["measured_state", "previous_target", "start_of_chunk", "start_of_episode"] | None
    chunk_rows: int | None
    compared: int
    still: int
    alone: int
    evidence: List[str]


class TargetReadinessActionSpaceDiagnosedEpisodes(TypedDict):
    looked_at: int
    agreeing: int
    other_layout: int
    without_signals: int


class TargetReadinessActionSpaceDiagnosedConversionsItem(TypedDict):
    to: Literal["absolute", "step_delta", "chunk_relative"]
    lossless: bool
    how: str


class TargetReadinessActionSpaceDiagnosed(TypedDict):
    status: Literal["diagnosed"]
    representation: Literal["absolute", "step_delta", "chunk_relative", "mixed", "undetermined"]
    space: Literal["joint", "end_effector", "gripper", "base", "unknown"]
    confidence: float
    groups: List[TargetReadinessActionSpaceDiagnosedGroupsItem]
    episodes: TargetReadinessActionSpaceDiagnosedEpisodes
    findings: List[str]
    conversions: List[TargetReadinessActionSpaceDiagnosedConversionsItem]


class TargetReadinessActionSpaceNotAssessable(TypedDict):
    status: Literal["not_assessable"]
    reason: str


TargetReadinessRecommendationRecommendedCandidatesItem = TypedDict(
    "TargetReadinessRecommendationRecommendedCandidatesItem",
    {
        "policy_class": "Literal[\"act\", \"diffusion_policy\", \"vla_finetuning\", \"bc_rnn\", \"action_conditioned_world_model\", \"video_world_model\"]",
        "title": "str",
        "score": "float",
        "for": "List[str]",
        "against": "List[str]",
    },
)


class TargetReadinessRecommendationRecommendedSupportingItem(TypedDict):
    authors: str
    year: int
    title: str
    venue: str | None
    arxiv: str
    finding: str


class TargetReadinessRecommendationRecommendedDisagreeingItem(TypedDict):
    authors: str
    year: int
    title: str
    venue: str | None
    arxiv: str
    finding: str


class TargetReadinessRecommendationRecommended(TypedDict):
    status: Literal["recommended"]
    policy_class: Literal["act", "diffusion_policy", "vla_finetuning", "bc_rnn", "action_conditioned_world_model", "video_world_model"]
    title: str
    confidence: float
    candidates: List[TargetReadinessRecommendationRecommendedCandidatesItem]
    settings: List[str]
    supporting: List[TargetReadinessRecommendationRecommendedSupportingItem]
    disagreeing: List[TargetReadinessRecommendationRecommendedDisagreeingItem]


class TargetReadinessRecommendationNotApplicable(TypedDict):
    status: Literal["not_applicable"]
    reason: str


class TargetReadinessRecommendationNotAssessable(TypedDict):
    status: Literal["not_assessable"]
    reason: str


class TargetReadinessSample(TypedDict):
    episodes: int
    of: int
    content_hash: str


class TargetReadiness(TypedDict):
    project_id: str
    use_case: UseCaseId
    target_profile: TargetProfileId
    data_kind: Kind | None
    verdict: Literal["ready", "needs_work", "not_ready", "not_assessable"]
    requirements: List[TargetReadinessRequirementsItem]
    action_space: TargetReadinessActionSpaceDiagnosed | TargetReadinessActionSpaceNotAssessable
    recommendation: TargetReadinessRecommendationRecommended | TargetReadinessRecommendationNotApplicable | TargetReadinessRecommendationNotAssessable
    sample: TargetReadinessSample


class SetReadinessSettingsChecksValue(TypedDict):
    enabled: NotRequired[bool | None]
    threshold_offset: NotRequired[float | None]
    weight_factor: NotRequired[float | None]


class RescoreProjectAnswer(TypedDict):
    items: List[Run]
