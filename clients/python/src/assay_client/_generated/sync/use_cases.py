# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.use_cases import (
    TargetProfile,
    UseCase,
)


class UseCasesOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[UseCase]:
        """List use cases for workspaces.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("list_use_cases", {"limit": limit, "cursor": cursor}, options)

    def get(
        self,
        *,
        use_case_id: str,
        options: CallOptions | None = None,
    ) -> UseCase:
        """Get a use case.

        Former ids are accepted: `data-certification` returns `data-assessment`.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("get_use_case", {"use_case_id": use_case_id}, options)

    def list_target_profiles(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[TargetProfile]:
        """List target profiles for projects.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("list_target_profiles", {"limit": limit, "cursor": cursor}, options)
