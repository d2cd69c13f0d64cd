# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import TypedDict

from .shared import (
    Kind,
    TargetProfileId,
    UseCaseId,
)


class TargetProfilePipelineStepsItem(TypedDict):
    id: Literal["read", "readiness", "action_space", "annotate", "deduplicate", "split", "statistics", "export"]
    layers: List[str]
    why: str


class TargetProfileRequirementsItem(TypedDict):
    id: Literal["kind", "accepted_episodes", "actions", "states", "cameras", "time", "instructions", "varied_instructions", "outcomes", "labels", "one_action_space"]
    level: Literal["required", "helps"]
    why: str


class TargetProfile(TypedDict):
    id: TargetProfileId
    title: str
    summary: str
    kinds: List[Kind]
    pipeline_steps: List[TargetProfilePipelineStepsItem]
    export_format: Literal["lerobot-v3", "lerobot-v2.1", "webdataset", "coco-detection", "image-folder", "zarr-replay-buffer", "mcap"]
    requirements: List[TargetProfileRequirementsItem]
    learns_actions: bool


class UseCaseNounsRecording(TypedDict):
    one: str
    many: str


class UseCaseNounsEpisode(TypedDict):
    one: str
    many: str


class UseCaseNounsMachine(TypedDict):
    one: str
    many: str


class UseCaseNounsOperator(TypedDict):
    one: str
    many: str


class UseCaseNounsTask(TypedDict):
    one: str
    many: str


class UseCaseNounsOutcome(TypedDict):
    one: str
    many: str


class UseCaseNouns(TypedDict):
    recording: UseCaseNounsRecording
    episode: UseCaseNounsEpisode
    machine: UseCaseNounsMachine
    operator: UseCaseNounsOperator
    task: UseCaseNounsTask
    outcome: UseCaseNounsOutcome


class UseCaseTargetProfilesItem(TypedDict):
    id: TargetProfileId
    title: str
    applicable: bool
    recommended: bool
    reason: str


class UseCaseSourceFormatsItem(TypedDict):
    id: str
    title: str
    readable: bool
    fits: bool
    reason: str | None


class UseCaseExportFormatsItem(TypedDict):
    id: Literal["lerobot-v3", "lerobot-v2.1", "webdataset", "coco-detection", "image-folder", "zarr-replay-buffer", "mcap"]
    title: str
    fits: bool
    reason: str | None


class UseCaseReadinessEmphasisItem(TypedDict):
    check: str
    weight_factor: float
    reason: str


class UseCaseCapabilitiesHandPose(TypedDict):
    requested: bool
    reason: str


class UseCaseCapabilitiesDenseText(TypedDict):
    requested: bool
    reason: str


class UseCaseCapabilities(TypedDict):
    hand_pose: UseCaseCapabilitiesHandPose
    dense_text: UseCaseCapabilitiesDenseText


class UseCasePresetDetailsItem(TypedDict):
    id: Literal["readiness-only", "manipulation-qc", "egocentric-full", "drive-log-lite", "world-model", "everything"]
    title: str
    summary: str


class UseCase(TypedDict):
    id: UseCaseId
    aliases: List[str]
    title: str
    summary: str
    nouns: UseCaseNouns
    expected_kinds: List[Kind]
    target_profiles: List[UseCaseTargetProfilesItem]
    source_formats: List[UseCaseSourceFormatsItem]
    export_formats: List[UseCaseExportFormatsItem]
    readiness_emphasis: List[UseCaseReadinessEmphasisItem]
    capabilities: UseCaseCapabilities
    presets: List[Literal["readiness-only", "manipulation-qc", "egocentric-full", "drive-log-lite", "world-model", "everything"]]
    preset_details: List[UseCasePresetDetailsItem]
