# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from collections.abc import AsyncIterator


from ...calls import AsyncCalls
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


class AsyncCopilotOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def get_models(
        self,
        *, options: CallOptions | None = None,
    ) -> CopilotModels:
        """List the copilot’s models, and say which one answers.

        Needs the role `viewer`.
        """
        return await self._calls.call("get_copilot_models", {}, options)

    async def get_suggestions(
        self,
        *,
        project_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CopilotSuggestions:
        """Suggest questions for a project’s state, with answers to common ones.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_copilot_suggestions", {"project_id": project_id}, options)

    async def ask_project(
        self,
        *,
        project_id: str,
        question: str,
        options: CallOptions | None = None,
    ) -> ProjectAnswer:
        """Ask, without a model, what blocks readiness, what changed, what it cost, what is missing or
        what to look at.

        Each sentence comes with the ids and numbers it rests on. A question that is none of
        `questions` is answered with how things stand.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("ask_project", {"project_id": project_id, "question": question}, options)

    async def raise_support_query(
        self,
        *,
        subject: str,
        message: str,
        project_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> SupportQuery:
        """Raise a question with the team that runs the service.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("raise_support_query", {"subject": subject, "message": message, "project_id": project_id}, options)

    async def list_support_queries(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[SupportQuery]:
        """List the tenant’s support queries, newest first.

        Needs the role `viewer`.
        """
        return await self._calls.call("list_support_queries", {"limit": limit, "cursor": cursor}, options)

    def copilot_chat(
        self,
        *,
        body: ChatRequest,
        options: CallOptions | None = None,
    ) -> AsyncIterator[CopilotChatEvent]:
        """Ask the copilot, and stream its answer.

        Begins with `start` and ends with `done`; between them come `token`, `tool_call`,
        `tool_result`, `confirmation`, `usage` and `error`. A tool that destroys or spends is not
        run without `autopilot`: send the same message again with it to confirm what was asked. The
        turn ends when the client disconnects.

        Needs the role `viewer`.
        """
        return self._calls.follow("copilot_chat", {"body": body}, options, whole_body=True)

    async def list_threads(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[CopilotThreadSummary]:
        """List your own threads with the copilot, newest first.

        Needs the role `viewer`.
        """
        return await self._calls.call("list_threads", {"limit": limit, "cursor": cursor}, options)

    async def get_thread(
        self,
        *,
        thread_id: str,
        options: CallOptions | None = None,
    ) -> CopilotThread:
        """Get one of your own threads.

        Needs the role `viewer`.

        thread_id: id, `thr_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_thread", {"thread_id": thread_id}, options)

    async def delete_thread(
        self,
        *,
        thread_id: str,
        options: CallOptions | None = None,
    ) -> None:
        """Delete one of your own threads.

        Needs the role `viewer`.

        thread_id: id, `thr_` and a time-ordered UUID in base32
        """
        await self._calls.call("delete_thread", {"thread_id": thread_id}, options)
