# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.shared import (
    UseCaseName,
)
from ..types.workspaces import (
    Workspace,
)


class WorkspacesOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Workspace]:
        """List workspaces, newest first.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("list_workspaces", {"limit": limit, "cursor": cursor}, options)

    def create(
        self,
        *,
        name: str,
        use_case: UseCaseName,
        options: CallOptions | None = None,
    ) -> Workspace:
        """Create a workspace for a use case.

        Requires the role `engineer` or higher.
        """
        return self._calls.call("create_workspace", {"name": name, "use_case": use_case}, options)

    def get(
        self,
        *,
        workspace_id: str,
        options: CallOptions | None = None,
    ) -> Workspace:
        """Get a workspace.

        Requires the role `viewer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_workspace", {"workspace_id": workspace_id}, options)

    def update(
        self,
        *,
        workspace_id: str,
        name: str,
        options: CallOptions | None = None,
    ) -> Workspace:
        """Rename a workspace.

        Requires the role `engineer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("update_workspace", {"workspace_id": workspace_id, "name": name}, options)

    def delete(
        self,
        *,
        workspace_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a workspace without projects.

        Requires the role `engineer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        self._calls.call("delete_workspace", {"workspace_id": workspace_id}, options)

    def set_use_case(
        self,
        *,
        workspace_id: str,
        use_case: UseCaseName,
        unfit_projects: Literal["refuse", "keep"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Workspace:
        """Set the use case of a workspace.

        Returns 409 with the projects whose target profile does not apply under the new use case.
        With `unfit_projects: keep`, those projects are left unchanged and report the mismatch.

        Requires the role `engineer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("set_use_case", {"workspace_id": workspace_id, "use_case": use_case, "unfit_projects": unfit_projects}, options)
