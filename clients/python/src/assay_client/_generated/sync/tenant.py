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

        Needs the role `viewer`.
        """
        return self._calls.call("whoami", {}, options)

    def create(
        self,
        *,
        name: str,
        token: CreateTenantToken,
        options: CallOptions | None = None,
    ) -> CreatedTenant:
        """Make a tenant and its first token.

        For admins of the tenant `default`, which the first start made: they run the installation.
        They see nothing of other tenants. The token is shown this once. A name that is taken is a
        conflict.

        Needs the role `admin`.
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

        Needs the role `admin`.
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

        Answers with an invitation: a token good for seven days and one exchange at `POST
        /v1/invitations/accept`. It is shown only once; hand it to the user. An address that exists
        already is a conflict.

        Needs the role `admin`.
        """
        return self._calls.call("create_user", {"email": email, "name": name, "role": role}, options)

    def accept_invitation(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> CreatedToken:
        """Exchange an invitation for a token.

        Works once. The token is shown only once.

        Needs no token.
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

        Includes invitations and revoked tokens; never the tokens themselves.

        Needs the role `admin`.

        user_id: id, `usr_` and a time-ordered UUID in base32
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

        The token is shown only once; only its SHA-256 is kept.

        Needs the role `admin`.

        user_id: id, `usr_` and a time-ordered UUID in base32
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

        Needs the role `admin`.

        token_id: id, `tok_` and a time-ordered UUID in base32
        """
        self._calls.call("revoke_token", {"token_id": token_id}, options)

    def create_sign_in_link(
        self,
        *, options: CallOptions | None = None,
    ) -> CreatedToken:
        """Make a one-time token that signs a browser in.

        The token signs in as the user who asked, with the same role, within half an hour. The web
        application takes it from the fragment of its address, `/#sign-in=asy_…`, which browsers
        send nowhere.

        Needs the role `viewer`.
        """
        return self._calls.call("create_sign_in_link", {}, options)

    def create_session(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> Whoami:
        """Sign a browser in.

        Takes a token, an invitation or the token of a sign-in link, and sets a cookie that no
        script can read. The cookie counts only for requests that pages of this service make.

        Needs no token.
        """
        return self._calls.call("create_session", {"token": token}, options)

    def end_session(
        self,
        *, options: CallOptions | None = None,
    ) -> None:
        """Sign a browser out.

        Removes the cookie, and ends the token behind it where a sign-in link made it.

        Needs no token.
        """
        self._calls.call("end_session", {}, options)
