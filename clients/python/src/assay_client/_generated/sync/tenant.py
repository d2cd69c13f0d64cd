# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.shared import (
    Role,
)
from ..types.tenant import (
    CreateTenantToken,
    CreatedTenant,
    CreatedToken,
    InvitedUser,
    Token,
    User,
    Whoami,
)


class TenantOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def whoami(
        self,
        *, options: CallOptions | None = None,
    ) -> Whoami:
        """Get the token’s owner and role.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("whoami", {}, options)

    def create(
        self,
        *,
        name: str,
        token: CreateTenantToken,
        options: CallOptions | None = None,
    ) -> CreatedTenant:
        """Create a tenant and its first token.

        Only for admins of the tenant `default`, which is created at the first start: they operate
        the installation. They cannot see data of other tenants. The token is shown only once.
        Returns 409 if the name is taken.

        Requires the role `admin` or higher.
        """
        return self._calls.call("create_tenant", {"name": name, "token": token}, options)

    def list_users(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[User]:
        """List users, newest first.

        Requires the role `admin` or higher.
        """
        return self._calls.call("list_users", {"limit": limit, "cursor": cursor}, options)

    def create_user(
        self,
        *,
        email: str,
        name: str,
        role: Role,
        options: CallOptions | None = None,
    ) -> InvitedUser:
        """Invite a user.

        Returns an invitation token, which can be exchanged once within seven days at `POST
        /v1/invitations/accept`. It is shown only once; send it to the user. Returns 409 if the
        email address is already in use.

        Requires the role `admin` or higher.
        """
        return self._calls.call("create_user", {"email": email, "name": name, "role": role}, options)

    def accept_invitation(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> CreatedToken:
        """Accept an invitation and get a token.

        Each invitation works once. The token is shown only once.

        No token required.
        """
        return self._calls.call("accept_invitation", {"token": token}, options)

    def list_tokens(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        user_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Token]:
        """List tokens, newest first.

        Includes invitations and revoked tokens, but never the secret values.

        Requires the role `admin` or higher.

        user_id: Id: `usr_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_tokens", {"limit": limit, "cursor": cursor, "user_id": user_id}, options)

    def create_token(
        self,
        *,
        name: str,
        role: Role,
        user_id: str | Omitted = OMITTED,
        expires_in_s: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CreatedToken:
        """Create a token.

        The token is shown only once; the service stores only its SHA-256.

        Requires the role `admin` or higher.

        user_id: Id: `usr_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("create_token", {"name": name, "role": role, "user_id": user_id, "expires_in_s": expires_in_s}, options)

    def revoke_token(
        self,
        *,
        token_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Revoke a token or an invitation.

        The last valid admin token cannot be revoked.

        Requires the role `admin` or higher.

        token_id: Id: `tok_` followed by a time-ordered UUID in base32.
        """
        self._calls.call("revoke_token", {"token_id": token_id}, options)

    def create_sign_in_link(
        self,
        *, options: CallOptions | None = None,
    ) -> CreatedToken:
        """Create a one-time sign-in token for a browser.

        The token signs in as the calling user with the same role and expires after 30 minutes. The
        web application reads it from the fragment of its URL, `/#sign-in=asy_…`, which browsers do
        not send to servers.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("create_sign_in_link", {}, options)

    def create_session(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> Whoami:
        """Create a browser session.

        Accepts an API token, an invitation or a sign-in token and sets an HTTP-only cookie. The
        cookie is accepted only for requests from pages of this service.

        No token required.
        """
        return self._calls.call("create_session", {"token": token}, options)

    def end_session(
        self,
        *, options: CallOptions | None = None,
    ) -> None:
        """End a browser session.

        Removes the cookie and, for sessions from a sign-in link, revokes the token behind it.

        No token required.
        """
        self._calls.call("end_session", {}, options)
