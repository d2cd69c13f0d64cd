# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, List, Literal

from typing_extensions import NotRequired, TypedDict


class ExportChoice(TypedDict):
    decisions: NotRequired[List[Literal["accept", "review", "reject"]]]
    slice_id: NotRequired[str]
    curation_id: NotRequired[str]
    episode_ids: NotRequired[List[str]]
    without: NotRequired[List[str]]


class ExportEdits(TypedDict):
    """Edits applied during export, with the same values as the options of `assay export`, such as
    {"trim": ["idle"]}.
    """
    drop: NotRequired[List[str]]
    convert: NotRequired[List[str]]
    cut: NotRequired[List[str]]
    shift: NotRequired[List[str]]
    trim: NotRequired[List[str]]
    video: NotRequired[List[str]]
    size: NotRequired[List[str]]
    rename: NotRequired[List[str]]
    split: NotRequired[List[str]]


class ExportFile(TypedDict):
    path: str
    bytes: int
    sha256: str


class LineageSourceFilesItem(TypedDict):
    path: str
    sha256: str | None


class LineageSource(TypedDict):
    name: str
    format: str
    version: str | None
    files: List[LineageSourceFilesItem]


class LineageKeptItem(TypedDict):
    id: str
    source_index: int
    decision: str
    index: int
    receipt: str


class LineageDroppedItem(TypedDict):
    id: str
    source_index: int
    decision: str
    receipt: str | None
    reason: str
    stage: NotRequired[Literal["without", "curation", "slice", "episode_ids", "decision", "held_out"]]
    flags: List[str]


class Lineage(TypedDict):
    schema: Literal["assay/lineage/v1"]
    format: str
    assay: str
    source: LineageSource
    settings_hash: str | None
    kept: List[LineageKeptItem]
    dropped: List[LineageDroppedItem]
    edits: List[dict[str, Any]]
    files: List[ExportFile]
    seal: str
