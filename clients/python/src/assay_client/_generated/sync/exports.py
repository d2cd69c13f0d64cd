# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal

import httpx

from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.exports import (
    ExportChoice,
    ExportEdits,
    ExportFile,
    Lineage,
)
from ..types.shared import (
    Export,
)


class ExportsOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        status: Literal["queued", "running", "succeeded", "failed", "cancelled", "sealed"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Export]:
        """List a project’s exports, newest first.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_exports", {"project_id": project_id, "limit": limit, "cursor": cursor, "status": status}, options)

    def create(
        self,
        *,
        project_id: str,
        format: Literal["lerobot-v3", "lerobot-v2.1", "webdataset", "coco-detection", "image-folder", "zarr-replay-buffer", "mcap"] | Omitted = OMITTED,
        rate_hz: float | Omitted = OMITTED,
        source_id: str | Omitted = OMITTED,
        dataset_path: str | Omitted = OMITTED,
        episodes: ExportChoice | Omitted = OMITTED,
        edits: ExportEdits | Omitted = OMITTED,
        annotations: bool | Omitted = OMITTED,
        purpose: Literal["training", "evaluation"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Export:
        """Export a project’s episodes as a training dataset.

        Episodes are selected by their decisions and receipts at the time of the request. The
        estimated cost is reserved first. The dataset is written in the background and becomes
        available only when it is complete; an interrupted export restarts and ends with the same
        seal. If a recording has changed since it was evaluated, the export fails and names the
        file.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        format: Defaults to the export format of the project’s target profile.
        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        annotations: Whether to include annotations of layers, marked as written by a machine or a
        person and apart from the labels of the recordings. Defaults to false. In LeRobot v3.0 they
        need LeRobot 0.6 or newer.
        """
        return self._calls.call("create_export", {"project_id": project_id, "format": format, "rate_hz": rate_hz, "source_id": source_id, "dataset_path": dataset_path, "episodes": episodes, "edits": edits, "annotations": annotations, "purpose": purpose}, options)

    def get(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Export:
        """Get an export.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_export", {"project_id": project_id, "export_id": export_id}, options)

    def delete(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete an export and its files.

        A running export is cancelled first. Only an admin can delete a sealed export.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        self._calls.call("delete_export", {"project_id": project_id, "export_id": export_id}, options)

    def cancel(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Export:
        """Cancel an export and remove its files.

        Takes effect immediately; workers stop within two seconds.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("cancel_export", {"project_id": project_id, "export_id": export_id}, options)

    def seal(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Export:
        """Seal an export to approve it.

        A sealed export is immutable, its source cannot be removed, and only an admin can delete it.
        Sealing again has no effect.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("seal_export", {"project_id": project_id, "export_id": export_id}, options)

    def get_lineage(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Lineage:
        """Get an export’s lineage file.

        Lists each exported episode with the hash of its receipt, each excluded episode with the
        reason, and each file with its hash. The `ETag` is the seal.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_export_lineage", {"project_id": project_id, "export_id": export_id}, options)

    def get_download(
        self,
        *,
        project_id: str,
        export_id: str,
        as_: Literal["tar", "zip"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Download an export as one archive.

        The bytes are the same for every download, so an interrupted download can be resumed with
        `Range`. The `ETag` is the seal. Files are stored uncompressed, in order of their paths.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_export_download", {"project_id": project_id, "export_id": export_id, "as": as_}, options)

    def list_files(
        self,
        *,
        project_id: str,
        export_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[ExportFile]:
        """List an export’s files by path.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_export_files", {"project_id": project_id, "export_id": export_id, "limit": limit, "cursor": cursor}, options)

    def get_file(
        self,
        *,
        project_id: str,
        export_id: str,
        file: str,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get one file of an export.

        The `ETag` is the SHA-256 of the file.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        export_id: Id: `exp_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_export_file", {"project_id": project_id, "export_id": export_id, "file": file}, options)
