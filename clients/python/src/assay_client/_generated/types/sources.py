# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypedDict


class SourceLocationFolder(TypedDict):
    kind: Literal["folder"]
    path: str


class SourceLocationS3(TypedDict):
    kind: Literal["s3"]
    bucket: str
    prefix: str


class SourceLocationUpload(TypedDict):
    kind: Literal["upload"]
    upload_url: str
    expires_at: str | None


class Source(TypedDict):
    id: str
    project_id: str
    name: str
    state: Literal["open", "ready", "gone"]
    location: SourceLocationFolder | SourceLocationS3 | SourceLocationUpload
    files: int | None
    bytes: int | None
    created_at: str
    created_by: str


class SourceFile(TypedDict):
    path: str
    bytes: int
    sha256: str
    state: Literal["promised", "receiving", "whole"]
    upload_url: str | None


class CreateSourceBodyFolder(TypedDict):
    kind: Literal["folder"]
    name: NotRequired[str]
    path: str


class CreateSourceBodyS3(TypedDict):
    kind: Literal["s3"]
    name: NotRequired[str]
    bucket: str
    prefix: NotRequired[str]


class CreateSourceBodyUploadFilesItem(TypedDict):
    path: str
    bytes: int
    sha256: str


class CreateSourceBodyUpload(TypedDict):
    kind: Literal["upload"]
    name: str
    files: NotRequired[List[CreateSourceBodyUploadFilesItem]]
