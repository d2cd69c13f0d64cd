# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal


from ...calls import Calls
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


class FailuresOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def import_(
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
        """Import failures of a policy, and compare them with the training data.

        Each failure is described as episodes are: by its motion where it has a trajectory, by the
        words of its task where it has none. `novelty` is the share of the baseline whose k-th
        nearest episode is nearer than the k-th nearest of the failure. The nearest episodes of near
        failures become a slice; novel failures are out of the data. Trajectories are not kept.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        source_id: id, `src_` and a time-ordered UUID in base32
        """
        return self._calls.call("import_failures", {"project_id": project_id, "name": name, "records": records, "file": file, "source_id": source_id, "task": task, "neighbours": neighbours, "novel_from": novel_from}, options)

    def list(
        self,
        *,
        project_id: str,
        import_id: str | Omitted = OMITTED,
        verdict: Literal["near", "novel", "not_assessable"] | Omitted = OMITTED,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Failure]:
        """List a project’s failures with their novelty, newest first.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        import_id: id, `fim_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_failures", {"project_id": project_id, "import_id": import_id, "verdict": verdict, "limit": limit, "cursor": cursor}, options)

    def get_import(
        self,
        *,
        project_id: str,
        import_id: str,
        options: CallOptions | None = None,
    ) -> FailureImport:
        """Get an import of failures: its counts, its baseline, its slice.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        import_id: id, `fim_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_failure_import", {"project_id": project_id, "import_id": import_id}, options)

    def close_loop(
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
        """Curate again with the nearest episodes of an import boosted, and stage an export.

        One transaction: the plan is stored and the export is queued, or neither. Episodes that hold
        a failure are not exported. The export waits for a person: `POST
        …/exports/{export_id}/seal`.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        import_id: id, `fim_` and a time-ordered UUID in base32
        source_id: id, `src_` and a time-ordered UUID in base32
        """
        return self._calls.call("close_loop", {"project_id": project_id, "import_id": import_id, "name": name, "plan": plan, "factor": factor, "format": format, "rate_hz": rate_hz, "source_id": source_id, "dataset_path": dataset_path}, options)
