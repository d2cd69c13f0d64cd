# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal

import httpx

from ...calls import AsyncCalls
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


class AsyncExportsOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def list(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        status: Literal["queued", "running", "succeeded", "failed", "cancelled", "sealed"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Export]:
        """List a project’s exports, newest first.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("list_exports", {"project_id": project_id, "limit": limit, "cursor": cursor, "status": status}, options)

    async def create(
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
        """Export a project’s episodes as a training set.

        The decisions and receipts of this moment choose the episodes. The estimated cost is
        reserved first. The set is written in the background. It appears whole or not at all, and an
        export that is interrupted begins again and ends with the same seal. A recording that has
        changed since it was judged ends the export with the name of the file.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        source_id: id, `src_` and a time-ordered UUID in base32
        annotations: whether what annotation layers say goes along; absent: into every format that
        has a place for it but LeRobot v3.0, whose language columns LeRobot reads from 0.6 on
        """
        return await self._calls.call("create_export", {"project_id": project_id, "format": format, "rate_hz": rate_hz, "source_id": source_id, "dataset_path": dataset_path, "episodes": episodes, "edits": edits, "annotations": annotations, "purpose": purpose}, options)

    async def get(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Export:
        """Get one export.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_export", {"project_id": project_id, "export_id": export_id}, options)

    async def delete(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete an export and its files; one that is under way is cancelled first.

        A sealed export needs an admin.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        await self._calls.call("delete_export", {"project_id": project_id, "export_id": export_id}, options)

    async def cancel(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Export:
        """Cancel an export; nothing of it stays.

        Takes effect at once; workers stop within two seconds.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("cancel_export", {"project_id": project_id, "export_id": export_id}, options)

    async def seal(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Export:
        """Seal an export, as a person’s approval.

        A sealed export does not change, its source cannot be removed, and only an admin can delete
        it. Sealing it again changes nothing.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("seal_export", {"project_id": project_id, "export_id": export_id}, options)

    async def get_lineage(
        self,
        *,
        project_id: str,
        export_id: str,
        options: CallOptions | None = None,
    ) -> Lineage:
        """Get an export’s lineage, byte for byte as it lies in the export.

        Each episode with its receipt’s hash, each one left out with the reason, each file with its
        hash. The entity tag is the seal.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_export_lineage", {"project_id": project_id, "export_id": export_id}, options)

    async def get_download(
        self,
        *,
        project_id: str,
        export_id: str,
        as_: Literal["tar", "zip"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Download an export as one archive.

        The same bytes each time, so `Range` resumes a download that was cut off. The entity tag is
        the seal. Files are stored in the archive as they are, in the order of their paths.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_export_download", {"project_id": project_id, "export_id": export_id, "as": as_}, options)

    async def list_files(
        self,
        *,
        project_id: str,
        export_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[ExportFile]:
        """List an export’s files by path.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("list_export_files", {"project_id": project_id, "export_id": export_id, "limit": limit, "cursor": cursor}, options)

    async def get_file(
        self,
        *,
        project_id: str,
        export_id: str,
        file: str,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get one file of an export.

        The entity tag is the SHA-256 of the file.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        export_id: id, `exp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_export_file", {"project_id": project_id, "export_id": export_id, "file": file}, options)
