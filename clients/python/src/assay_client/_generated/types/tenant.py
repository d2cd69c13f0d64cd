# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal

from typing_extensions import NotRequired, TypedDict

from .shared import (
    Role,
)


class CreatedTenant(TypedDict):
    id: str
    name: str
    token: CreatedToken


class CreatedToken(TypedDict):
    id: str
    kind: Literal["access", "invitation"]
    name: str
    role: Role
    user_id: str | None
    created_at: str
    created_by: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    token: str


class InvitedUser(TypedDict):
    user: User
    invitation: CreatedToken


class Token(TypedDict):
    id: str
    kind: Literal["access", "invitation"]
    name: str
    role: Role
    user_id: str | None
    created_at: str
    created_by: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None


class User(TypedDict):
    id: str
    email: str
    name: str
    role: Role
    created_at: str
    created_by: str
    accepted_at: str | None


class WhoamiTenant(TypedDict):
    id: str
    name: str


class Whoami(TypedDict):
    tenant: WhoamiTenant
    role: Role
    token: Token
    user: User | None


class CreateTenantToken(TypedDict):
    name: str
    role: Role
    expires_in_s: NotRequired[int]
