# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.failures import (
    ClosedLoop,
    Failure,
    FailureImport,
    FailureRecord,
    ImportFailuresFile,
)
from ..types.shared import (
    CurationPlanInput,
)


class AsyncFailuresOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def import_(
        self,
        *,
        project_id: str,
        name: str | Omitted = OMITTED,
        records: List[FailureRecord] | Omitted = OMITTED,
        file: ImportFailuresFile | Omitted = OMITTED,
        source_id: str | Omitted = OMITTED,
        task: str | Omitted = OMITTED,
        neighbours: int | Omitted = OMITTED,
        novel_from: float | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> FailureImport:
        """Import policy failures and compare them with the training data.

        Each failure is compared with the project’s episodes by its motion if it has a trajectory,
        otherwise by the words of its task. `novelty` is the share of baseline episodes whose k-th
        nearest neighbour is closer than that of the failure. The training episodes nearest to
        failures inside the training distribution are saved as a slice; novel failures are outside
        the training distribution. Trajectories are not stored.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("import_failures", {"project_id": project_id, "name": name, "records": records, "file": file, "source_id": source_id, "task": task, "neighbours": neighbours, "novel_from": novel_from}, options)

    async def list(
        self,
        *,
        project_id: str,
        import_id: str | Omitted = OMITTED,
        verdict: Literal["near", "novel", "not_assessable"] | Omitted = OMITTED,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Failure]:
        """List a project’s policy failures with their novelty, newest first.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        import_id: Id: `fim_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_failures", {"project_id": project_id, "import_id": import_id, "verdict": verdict, "limit": limit, "cursor": cursor}, options)

    async def get_import(
        self,
        *,
        project_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> FailureImport:
        """Get a failure import with its counts, baseline and slice.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        import_id: Id: `fim_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_failure_import", {"project_id": project_id, "import_id": import_id}, options)

    async def close_loop(
        self,
        *,
        project_id: str,
        import_id: str,
        name: str | Omitted = OMITTED,
        plan: CurationPlanInput | Omitted = OMITTED,
        factor: float | Omitted = OMITTED,
        format: Literal["lerobot-v3", "lerobot-v2.1", "webdataset", "coco-detection", "image-folder", "zarr-replay-buffer", "mcap"] | Omitted = OMITTED,
        rate_hz: float | Omitted = OMITTED,
        source_id: str | Omitted = OMITTED,
        dataset_path: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> ClosedLoop:
        """Curate again with more weight on the episodes nearest to failures, and queue an export.

        In one transaction, stores the plan and queues the export. Episodes that contain a failure
        are not exported. The export must be approved by a person with `POST
        …/exports/{export_id}/seal`.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        import_id: Id: `fim_` followed by a time-ordered UUID in base32.
        format: Defaults to the export format of the project’s target profile.
        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("close_loop", {"project_id": project_id, "import_id": import_id, "name": name, "plan": plan, "factor": factor, "format": format, "rate_hz": rate_hz, "source_id": source_id, "dataset_path": dataset_path}, options)
