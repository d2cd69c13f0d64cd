# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

from .shared import (
    ComputeEstimate,
    JsonValue,
    Kind,
    LayerId,
    ModelSurfaceId,
    TargetProfileId,
    UseCaseId,
)


class AnnotationCoverageLayersItemKindsItem(TypedDict):
    kind: Kind
    applicable: bool
    reason: str | None
    episodes: int
    covered: int
    not_produced: int
    coverage: float | None
    quality: float | None
    quality_reason: str | None
    assessed: int


class AnnotationCoverageLayersItem(TypedDict):
    layer: LayerId
    quality_signal: str
    kinds: List[AnnotationCoverageLayersItemKindsItem]


class AnnotationCoverage(TypedDict):
    project_id: str
    layers: List[AnnotationCoverageLayersItem]


class AnnotationSettingsLayersItemQuality(TypedDict):
    signal: str
    how: str


AnnotationSettingsLayersItemKnobsItem = TypedDict(
    "AnnotationSettingsLayersItemKnobsItem",
    {
        "id": "str",
        "type": "Literal[\"number\", \"integer\", \"choice\", \"flag\", \"names\"]",
        "summary": "str",
        "moves_cost": "bool",
        "default": "float | bool | str | List[str]",
        "value": "float | bool | str | List[str]",
        "from": "Literal[\"project\", \"workspace\", \"default\"]",
        "minimum": "NotRequired[float]",
        "maximum": "NotRequired[float]",
        "unit": "NotRequired[str | None]",
        "values": "NotRequired[List[str]]",
    },
)


class AnnotationSettingsLayersItem(TypedDict):
    id: LayerId
    title: str
    produces: str
    kinds: List[Kind]
    surfaces: List[ModelSurfaceId]
    quality: AnnotationSettingsLayersItemQuality
    export_formats: List[Literal["lerobot-v3", "lerobot-v2.1", "webdataset", "coco-detection", "image-folder", "zarr-replay-buffer", "mcap"]]
    servable: bool
    offered_modes: List[LayerMode]
    mode: LayerMode
    mode_from: Literal["project", "workspace", "default", "pinned"]
    mode_reason: str
    asked_mode: LayerMode | None
    applicable: bool
    inapplicable_reason: str | None
    applicable_episodes: int
    runs: bool
    knobs: List[AnnotationSettingsLayersItemKnobsItem]


class AnnotationSettingsPresetsItem(TypedDict):
    id: Literal["readiness-only", "manipulation-qc", "egocentric-full", "drive-log-lite", "world-model", "everything"]
    title: str
    summary: str
    modes: dict[str, LayerMode]
    offered: bool
    disabled: bool
    reason: str | None


class AnnotationSettingsCostPreviewLayersItem(TypedDict):
    layer: LayerId
    episodes: int
    compute_s_per_episode: float
    usd_per_episode: float
    estimate: ComputeEstimate
    basis: Literal["measured", "planned"]


class AnnotationSettingsCostPreview(TypedDict):
    layers: List[AnnotationSettingsCostPreviewLayersItem]
    episodes: int
    per_episode_usd: float
    projected_usd: float


class AnnotationSettingsAdjustedItem(TypedDict):
    pointer: str
    asked: JsonValue
    stored: float | bool | str | List[str] | None
    reason: str


class AnnotationSettings(TypedDict):
    project_id: str
    workspace_id: str
    use_case: UseCaseId
    target_profile: TargetProfileId
    data_kind: Kind | None
    layers: List[AnnotationSettingsLayersItem]
    models: List[ModelSurface]
    presets: List[AnnotationSettingsPresetsItem]
    cost_preview: AnnotationSettingsCostPreview
    workspace_modes: dict[str, LayerMode]
    project_modes: dict[str, LayerMode]
    workspace_config: dict[str, dict[str, float | bool | str | List[str]]]
    project_config: dict[str, dict[str, float | bool | str | List[str]]]
    project_models: dict[str, str]
    adjusted: List[AnnotationSettingsAdjustedItem]


class AnnotationStatusLastRun(TypedDict):
    id: str
    finished_at: str


class AnnotationStatusLayersItem(TypedDict):
    layer: LayerId
    state: Literal["ran", "partial", "on_demand", "off", "inapplicable", "planned"]
    reason: str
    mode: LayerMode
    covered_episodes: int
    not_produced_episodes: int
    applicable_episodes: int
    ran_in_last_run: bool
    available: bool
    unavailable_reason: str | None
    job_id: str | None


class AnnotationStatus(TypedDict):
    project_id: str
    episodes: int
    last_run: AnnotationStatusLastRun | None
    layers: List[AnnotationStatusLayersItem]


LayerMode: TypeAlias = "Literal[\"in_run\", \"on_demand\", \"off\"]"


class ModelRegistry(TypedDict):
    items: List[ModelSurface]
    tenant_models: dict[str, str]


ModelSurfaceChosen = TypedDict(
    "ModelSurfaceChosen",
    {
        "model": "str",
        "from": "Literal[\"default\", \"use_case\", \"tenant\", \"project\", \"environment\"]",
        "passed_over": "str | None",
        "missing": "str | None",
    },
)


class ModelSurfaceOptionsItemEvidenceItem(TypedDict):
    benchmark: str
    metric: str
    score: float
    unit: Literal["percent", "ratio", "px", "mm"]
    source: Literal["own", "secondary", "measured"]
    note: str | None


class ModelSurfaceOptionsItemWeightsSource(TypedDict):
    repository: str
    revision: str


class ModelSurfaceOptionsItemWeightsFilesItem(TypedDict):
    path: str
    bytes: int | None
    sha256: str | None
    present: bool


class ModelSurfaceOptionsItemWeights(TypedDict):
    folder: str
    fault: str | None
    source: ModelSurfaceOptionsItemWeightsSource | None
    files: List[ModelSurfaceOptionsItemWeightsFilesItem]


class ModelSurfaceOptionsItem(TypedDict):
    id: str
    title: str
    licence: str
    evidence: List[ModelSurfaceOptionsItemEvidenceItem]
    no_evidence: str | None
    runtime: Literal["onnx", "tfjs", "algorithm", "endpoint", "bundled"]
    needs_consent: str | None
    installed: Literal["bundled", "installed", "files_present", "unusable", "absent", "no_weights_needed", "endpoint"]
    weights: NotRequired[ModelSurfaceOptionsItemWeights]


class ModelSurfaceRejectedItemEvidenceItem(TypedDict):
    benchmark: str
    metric: str
    score: float
    unit: Literal["percent", "ratio", "px", "mm"]
    source: Literal["own", "secondary", "measured"]
    note: str | None


class ModelSurfaceRejectedItem(TypedDict):
    id: str
    title: str
    licence: str
    evidence: List[ModelSurfaceRejectedItemEvidenceItem]
    no_evidence: str | None
    reason: str


class ModelSurface(TypedDict):
    id: ModelSurfaceId
    title: str
    selectable: bool
    chosen: ModelSurfaceChosen
    options: List[ModelSurfaceOptionsItem]
    rejected: List[ModelSurfaceRejectedItem]


class WorkspaceAnnotationSettingsAdjustedItem(TypedDict):
    pointer: str
    asked: JsonValue
    stored: float | bool | str | List[str] | None
    reason: str


class WorkspaceAnnotationSettings(TypedDict):
    workspace_id: str
    workspace_modes: dict[str, LayerMode]
    workspace_config: dict[str, dict[str, float | bool | str | List[str]]]
    adjusted: List[WorkspaceAnnotationSettingsAdjustedItem]
