# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.search import (
    SearchAnswer,
    SearchQueryInput,
    SearchRankInput,
    SliceDiff,
    SliceMember,
)
from ..types.shared import (
    SearchFilter,
    Slice,
)


class AsyncSearchOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def search_episodes(
        self,
        *,
        project_id: str,
        filter: SearchFilter | Omitted = OMITTED,
        rank: SearchRankInput | None | Omitted = OMITTED,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> SearchAnswer:
        """Find episodes by what is known of them, and rank them by words or likeness.

        Filters come first: several values of one are alternatives, different filters must all hold.
        What passes is ranked: `text` by the words of the task, `like` by likeness to an episode or
        a moment of one, over what a descriptor made of their motion or pictures. `coverage` says
        how many could be ranked and why others could not; `response_hash` is the same while the
        answer is.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("search_episodes", {"project_id": project_id, "filter": filter, "rank": rank, "limit": limit, "cursor": cursor}, options)

    async def create_slice(
        self,
        *,
        project_id: str,
        name: str,
        query: SearchQueryInput | Omitted = OMITTED,
        most: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Slice:
        """Keep what a search finds now, as a slice that does not change.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("create_slice", {"project_id": project_id, "name": name, "query": query, "most": most}, options)

    async def list_slices(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Slice]:
        """List a project’s slices, newest first.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("list_slices", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    async def get_slice(
        self,
        *,
        project_id: str,
        slice_id: str,
        options: CallOptions | None = None,
    ) -> Slice:
        """Get a slice: its query, coverage and hashes.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        slice_id: id, `slc_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_slice", {"project_id": project_id, "slice_id": slice_id}, options)

    async def delete_slice(
        self,
        *,
        project_id: str,
        slice_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a slice; a locked one only as an admin.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        slice_id: id, `slc_` and a time-ordered UUID in base32
        """
        await self._calls.call("delete_slice", {"project_id": project_id, "slice_id": slice_id}, options)

    async def list_slice_members(
        self,
        *,
        project_id: str,
        slice_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[SliceMember]:
        """List a slice’s members in the order of its answer.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        slice_id: id, `slc_` and a time-ordered UUID in base32
        """
        return await self._calls.call("list_slice_members", {"project_id": project_id, "slice_id": slice_id, "limit": limit, "cursor": cursor}, options)

    async def diff_slices(
        self,
        *,
        project_id: str,
        slice_id: str,
        with_: str | Omitted = OMITTED,
        limit: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> SliceDiff:
        """Say which episodes are in one of two slices and not in the other.

        Without `with`: how the slice differs from what its query finds now.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        slice_id: id, `slc_` and a time-ordered UUID in base32
        with_: id, `slc_` and a time-ordered UUID in base32
        """
        return await self._calls.call("diff_slices", {"project_id": project_id, "slice_id": slice_id, "with": with_, "limit": limit}, options)

    async def promote_slice(
        self,
        *,
        project_id: str,
        slice_id: str,
        options: CallOptions | None = None,
    ) -> Slice:
        """Lock a slice as an evaluation set, which no export for training may touch.

        A lock cannot be undone; only an admin can delete the slice. Locking it again changes
        nothing. An empty slice is refused with 409.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        slice_id: id, `slc_` and a time-ordered UUID in base32
        """
        return await self._calls.call("promote_slice", {"project_id": project_id, "slice_id": slice_id}, options)
