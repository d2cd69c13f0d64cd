# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from collections.abc import Iterator


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.copilot import (
    ChatRequest,
    CopilotChatEvent,
    CopilotModels,
    CopilotSuggestions,
    CopilotThread,
    CopilotThreadSummary,
    ProjectAnswer,
    SupportQuery,
)


class CopilotOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get_models(
        self,
        *, options: CallOptions | None = None,
    ) -> CopilotModels:
        """List the copilot’s models and the active one.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("get_copilot_models", {}, options)

    def get_suggestions(
        self,
        *,
        project_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CopilotSuggestions:
        """Get suggested questions and answers to common ones.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_copilot_suggestions", {"project_id": project_id}, options)

    def ask_project(
        self,
        *,
        project_id: str,
        question: str,
        options: CallOptions | None = None,
    ) -> ProjectAnswer:
        """Answer a question about a project without a language model.

        Covers what blocks readiness, what changed, what it cost, what is missing, and which
        episodes to look at first. Each sentence comes with the ids and numbers behind it. If a
        question matches none of `questions`, the answer is a summary of the project’s state.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("ask_project", {"project_id": project_id, "question": question}, options)

    def raise_support_query(
        self,
        *,
        subject: str,
        message: str,
        project_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> SupportQuery:
        """Send a support query to the team that operates the service.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("raise_support_query", {"subject": subject, "message": message, "project_id": project_id}, options)

    def list_support_queries(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[SupportQuery]:
        """List the tenant’s support queries, newest first.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("list_support_queries", {"limit": limit, "cursor": cursor}, options)

    def chat(
        self,
        *,
        body: ChatRequest,
        options: CallOptions | None = None,
    ) -> Iterator[CopilotChatEvent]:
        """Send a message to the copilot and stream its answer.

        The first event is `start`, the last is `done`; between them come `token`, `tool_call`,
        `tool_result`, `confirmation`, `usage` and `error`. Tools that delete data or spend money
        run only with `autopilot`: to confirm such a call, send the same message again with
        `autopilot: true`. The turn is cancelled when the client disconnects. With
        `Idempotency-Key`, a repeated request runs nothing again: it waits for the end of the first
        turn and gets the same events, or, with `Last-Event-ID`, those after it.

        Requires the role `viewer` or higher.
        """
        return self._calls.follow("copilot_chat", {"body": body}, options, whole_body=True)

    def list_threads(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[CopilotThreadSummary]:
        """List your copilot chats, newest first.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("list_threads", {"limit": limit, "cursor": cursor}, options)

    def get_thread(
        self,
        *,
        thread_id: str,
        options: CallOptions | None = None,
    ) -> CopilotThread:
        """Get one of your copilot chats.

        Requires the role `viewer` or higher.

        thread_id: Id: `thr_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_thread", {"thread_id": thread_id}, options)

    def delete_thread(
        self,
        *,
        thread_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete one of your copilot chats.

        Requires the role `viewer` or higher.

        thread_id: Id: `thr_` followed by a time-ordered UUID in base32.
        """
        self._calls.call("delete_thread", {"thread_id": thread_id}, options)
