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

    async def episodes(
        self,
        *,
        project_id: str,
        filter: SearchFilter | Omitted = OMITTED,
        rank: SearchRankInput | None | Omitted = OMITTED,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> SearchAnswer:
        """Search episodes with filters and rank them by text or similarity.

        Filters are applied first: any value of a filter may match, and all filters must match.
        Matching episodes are ranked by `text` (meaning or words of the task, captions and detailed
        description; `ranked_by.id` says which) or by `like` (similarity of motion or images to an
        episode or a part of one). `coverage` counts the ranked episodes and gives reasons for the
        others. `response_hash` changes only if the result changes.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
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
        """Save a search result as an immutable slice.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
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

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_slices", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    async def get_slice(
        self,
        *,
        project_id: str,
        slice_id: str,
        options: CallOptions | None = None,
    ) -> Slice:
        """Get a slice with its query, coverage and hashes.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        slice_id: Id: `slc_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_slice", {"project_id": project_id, "slice_id": slice_id}, options)

    async def delete_slice(
        self,
        *,
        project_id: str,
        slice_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a slice; a locked slice requires an admin.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        slice_id: Id: `slc_` followed by a time-ordered UUID in base32.
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
        """List a slice’s episodes in search order.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        slice_id: Id: `slc_` followed by a time-ordered UUID in base32.
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
        """Compare the episodes of two slices.

        Lists episodes that are in only one of them. Without `with`, compares the slice with the
        current result of its query.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        slice_id: Id: `slc_` followed by a time-ordered UUID in base32.
        with_: Id: `slc_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("diff_slices", {"project_id": project_id, "slice_id": slice_id, "with": with_, "limit": limit}, options)

    async def promote_slice(
        self,
        *,
        project_id: str,
        slice_id: str,
        options: CallOptions | None = None,
    ) -> Slice:
        """Lock a slice as an evaluation set, excluded from training exports.

        Locking cannot be undone, and only an admin can delete a locked slice. Locking again has no
        effect. Returns 409 if the slice is empty.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        slice_id: Id: `slc_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("promote_slice", {"project_id": project_id, "slice_id": slice_id}, options)
