# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.sources import (
    CreateSourceBodyFolder,
    CreateSourceBodyS3,
    CreateSourceBodyUpload,
    Source,
    SourceFile,
)


class SourcesOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Source]:
        """List a project’s sources, newest first.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_sources", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    def create(
        self,
        *,
        project_id: str,
        body: CreateSourceBodyFolder | CreateSourceBodyS3 | CreateSourceBodyUpload,
        options: CallOptions | None = None,
    ) -> Source:
        """Register a source: a folder, an address, an S3 prefix or an upload.

        Recordings stay in place; a run copies only numeric data. Send the files of an upload to
        `/v1/uploads` with the tus 1.0 protocol, each with the metadata `source_id`, `path` and
        `sha256`; interrupted transfers can be resumed.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("create_source", {"project_id": project_id, "body": body}, options, whole_body=True)

    def get(
        self,
        *,
        source_id: str,
        options: CallOptions | None = None,
    ) -> Source:
        """Get a source.

        Requires the role `viewer` or higher.

        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_source", {"source_id": source_id}, options)

    def delete(
        self,
        *,
        source_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Remove a source.

        Deletes uploaded files; folders and buckets are left untouched. The source’s runs, episodes
        and receipts are kept and its state becomes `gone`. A source without runs is deleted.

        Requires the role `engineer` or higher.

        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        self._calls.call("delete_source", {"source_id": source_id}, options)

    def list_files(
        self,
        *,
        source_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        state: Literal["all", "unfinished"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[SourceFile]:
        """List the files of an upload by path, with the URL to resume each.

        Requires the role `viewer` or higher.

        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_source_files", {"source_id": source_id, "limit": limit, "cursor": cursor, "state": state}, options)

    def complete(
        self,
        *,
        source_id: str,
        options: CallOptions | None = None,
    ) -> Source:
        """Complete an upload so that it can be run.

        Requires the role `engineer` or higher.

        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("complete_source", {"source_id": source_id}, options)
