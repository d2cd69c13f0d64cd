# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import TypedDict

from .shared import (
    JobLayerId,
    JsonValue,
    ModelSurfaceId,
)


class AnnotationModelsItemFilesItem(TypedDict):
    name: str
    sha256: str


class AnnotationModelsItem(TypedDict):
    surface: ModelSurfaceId
    model: str
    runtime: Literal["onnx", "tfjs", "algorithm", "endpoint"]
    device: Literal["cpu", "gpu"] | None
    files: List[AnnotationModelsItemFilesItem]


class AnnotationPartsItem(TypedDict):
    name: str
    media_type: str
    bytes: int
    hash: str


class AnnotationQuality(TypedDict):
    signal: str
    value: float | None
    reason: str | None


class Annotation(TypedDict):
    id: str
    project_id: str
    episode_id: str
    layer: JobLayerId
    job_id: str
    run_id: str | None
    model: str | None
    models: List[AnnotationModelsItem]
    config_hash: str
    input_hash: str
    artifact_hash: str
    media_type: str
    bytes: int
    parts: List[AnnotationPartsItem]
    counts: dict[str, float]
    not_produced: str | None
    quality: AnnotationQuality
    compute_s: float
    device: Literal["cpu", "gpu"]
    cost_usd: float
    produced_at: str
    artifact: dict[str, JsonValue] | None


class AnnotationEdit(TypedDict):
    id: str
    text: str
    artifact_hash: str | None
    created_by: str
    created_at: str


class EpisodeAnnotation(TypedDict):
    episode_id: str
    layer: JobLayerId
    machine: Annotation | None
    edit: AnnotationEdit | None


class EpisodeAnnotationSummaryMachineModelsItemFilesItem(TypedDict):
    name: str
    sha256: str


class EpisodeAnnotationSummaryMachineModelsItem(TypedDict):
    surface: ModelSurfaceId
    model: str
    runtime: Literal["onnx", "tfjs", "algorithm", "endpoint"]
    device: Literal["cpu", "gpu"] | None
    files: List[EpisodeAnnotationSummaryMachineModelsItemFilesItem]


class EpisodeAnnotationSummaryMachinePartsItem(TypedDict):
    name: str
    media_type: str
    bytes: int
    hash: str


class EpisodeAnnotationSummaryMachineQuality(TypedDict):
    signal: str
    value: float | None
    reason: str | None


class EpisodeAnnotationSummaryMachine(TypedDict):
    id: str
    project_id: str
    episode_id: str
    layer: JobLayerId
    job_id: str
    run_id: str | None
    model: str | None
    models: List[EpisodeAnnotationSummaryMachineModelsItem]
    config_hash: str
    input_hash: str
    artifact_hash: str
    media_type: str
    bytes: int
    parts: List[EpisodeAnnotationSummaryMachinePartsItem]
    counts: dict[str, float]
    not_produced: str | None
    quality: EpisodeAnnotationSummaryMachineQuality
    compute_s: float
    device: Literal["cpu", "gpu"]
    cost_usd: float
    produced_at: str


class EpisodeAnnotationSummaryEdited(TypedDict):
    created_by: str
    created_at: str


class EpisodeAnnotationSummaryLinks(TypedDict):
    annotation: str


class EpisodeAnnotationSummary(TypedDict):
    episode_id: str
    layer: JobLayerId
    machine: EpisodeAnnotationSummaryMachine | None
    edited: EpisodeAnnotationSummaryEdited | None
    links: EpisodeAnnotationSummaryLinks
