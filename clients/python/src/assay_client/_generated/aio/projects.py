# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.projects import (
    DataKind,
    Project,
    ProjectFormats,
)
from ..types.shared import (
    Kind,
    TargetProfileId,
)


class AsyncProjectsOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        workspace_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Project]:
        """List projects, newest first.

        Requires the role `viewer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_projects", {"limit": limit, "cursor": cursor, "workspace_id": workspace_id}, options)

    async def create(
        self,
        *,
        workspace_id: str,
        name: str,
        target_profile: TargetProfileId,
        options: CallOptions | None = None,
    ) -> Project:
        """Create a project in a workspace.

        Requires the role `engineer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("create_project", {"workspace_id": workspace_id, "name": name, "target_profile": target_profile}, options)

    async def get(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> Project:
        """Get a project.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_project", {"project_id": project_id}, options)

    async def update(
        self,
        *,
        project_id: str,
        name: str | Omitted = OMITTED,
        target_profile: TargetProfileId | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Project:
        """Rename a project or set its target profile.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("update_project", {"project_id": project_id, "name": name, "target_profile": target_profile}, options)

    async def delete(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a project without sources.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        await self._calls.call("delete_project", {"project_id": project_id}, options)

    async def get_data_kind(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> DataKind:
        """Get a project’s data kind and the evidence for it.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_data_kind", {"project_id": project_id}, options)

    async def set_data_kind(
        self,
        *,
        project_id: str,
        kind: Kind | None,
        options: CallOptions | None = None,
    ) -> DataKind:
        """Pin or unpin a project’s data kind.

        A pinned kind overrides the kind detected from the streams. It takes effect with the next
        run, not with a rescore, because the kind determines what is measured.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("set_data_kind", {"project_id": project_id, "kind": kind}, options)

    async def get_formats(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> ProjectFormats:
        """List source and export formats and whether they fit the project.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_project_formats", {"project_id": project_id}, options)
