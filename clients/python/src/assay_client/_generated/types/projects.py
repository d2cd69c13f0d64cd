# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import TypedDict

from .shared import (
    Kind,
    TargetProfileId,
    UseCaseId,
)


class DataKindCountsItem(TypedDict):
    kind: Kind
    episodes: int


class DataKindExamplesItem(TypedDict):
    kind: Kind
    episode_id: str
    evidence: List[str]


DataKind = TypedDict(
    "DataKind",
    {
        "project_id": "str",
        "effective": "Kind | None",
        "from": "Literal[\"pinned\", \"derived\", \"none\"]",
        "pinned": "Kind | None",
        "derived": "Kind | None",
        "counts": "List[DataKindCountsItem]",
        "examples": "List[DataKindExamplesItem]",
        "judged_as_another_kind": "int",
        "notes": "List[str]",
    },
)


class ProjectDataKindCountsItem(TypedDict):
    kind: Kind
    episodes: int


ProjectDataKind = TypedDict(
    "ProjectDataKind",
    {
        "effective": "Kind | None",
        "from": "Literal[\"pinned\", \"derived\", \"none\"]",
        "pinned": "Kind | None",
        "derived": "Kind | None",
        "counts": "List[ProjectDataKindCountsItem]",
    },
)


class ProjectDecisions(TypedDict):
    accept: int
    review: int
    reject: int


class Project(TypedDict):
    id: str
    workspace_id: str
    name: str
    use_case: UseCaseId
    target_profile: TargetProfileId
    target_profile_unfit: str | None
    data_kind: ProjectDataKind
    episodes: int
    decisions: ProjectDecisions
    reviewed: int
    created_at: str
    updated_at: str


class ProjectFormatsSourceFormatsItem(TypedDict):
    id: str
    title: str
    carries: str
    fits: bool
    reason: str | None
    readable: bool
    episodes: int


class ProjectFormatsExportFormatsItem(TypedDict):
    id: Literal["lerobot-v3", "lerobot-v2.1", "webdataset", "coco-detection", "image-folder", "zarr-replay-buffer", "mcap"]
    title: str
    carries: str
    fits: bool
    reason: str | None
    recommended: bool


class ProjectFormats(TypedDict):
    project_id: str
    use_case: UseCaseId
    target_profile: TargetProfileId
    data_kind: Kind | None
    source_formats: List[ProjectFormatsSourceFormatsItem]
    export_formats: List[ProjectFormatsExportFormatsItem]
