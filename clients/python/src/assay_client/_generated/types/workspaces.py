# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from typing_extensions import TypedDict

from .shared import (
    UseCaseId,
)


class Workspace(TypedDict):
    id: str
    name: str
    use_case: UseCaseId
    created_at: str
    updated_at: str
