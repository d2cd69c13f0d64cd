# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

from .shared import (
    JsonValue,
)


class ChatRequestMessagesItem(TypedDict):
    role: Literal["user", "assistant"]
    content: str


class ChatRequestContextEpisode(TypedDict):
    kind: Literal["episode"]
    id: str


class ChatRequestContextRun(TypedDict):
    kind: Literal["run"]
    id: str


class ChatRequestContextSlice(TypedDict):
    kind: Literal["slice"]
    id: str


class ChatRequestApprovalsItem(TypedDict):
    tool: str
    argument_hash: str


class ChatRequest(TypedDict):
    messages: List[ChatRequestMessagesItem]
    project_id: NotRequired[str]
    context: NotRequired[ChatRequestContextEpisode | ChatRequestContextRun | ChatRequestContextSlice]
    autopilot: NotRequired[bool]
    thread_id: NotRequired[str]
    model: NotRequired[str]
    approvals: NotRequired[List[ChatRequestApprovalsItem]]


class CopilotModelsActive(TypedDict):
    provider: Literal["openrouter", "compatible", "none"]
    model: str


class CopilotModelsItemsItemPrices(TypedDict):
    prompt_usd_per_mtok: float
    completion_usd_per_mtok: float


class CopilotModelsItemsItemChargedPrices(TypedDict):
    prompt_usd_per_mtok: float
    completion_usd_per_mtok: float


class CopilotModelsItemsItem(TypedDict):
    provider: Literal["openrouter", "compatible", "none"]
    model: str
    available: bool
    active: bool
    prices: CopilotModelsItemsItemPrices | None
    charged_prices: CopilotModelsItemsItemChargedPrices
    priced_by: Literal["price_list", "fallback"]


class CopilotModels(TypedDict):
    active: CopilotModelsActive | None
    key_configured: bool
    degraded: bool
    reason: str | None
    items: List[CopilotModelsItemsItem]


class CopilotSuggestionsSuggestionsItem(TypedDict):
    id: str
    prompt: str
    because: str


class CopilotSuggestionsFaqsItem(TypedDict):
    question: str
    answer: str


class CopilotSuggestions(TypedDict):
    project_id: str | None
    suggestions: List[CopilotSuggestionsSuggestionsItem]
    faqs: List[CopilotSuggestionsFaqsItem]


class CopilotThreadMessagesItemTurnToolsItem(TypedDict):
    tool: str
    status: str
    argument_hash: str | None


class CopilotThreadMessagesItemTurn(TypedDict):
    provider: Literal["openrouter", "compatible", "none"]
    model: str | None
    steps: int
    stop_reason: Literal["complete", "cancelled", "step_limit", "budget_exceeded", "provider_error", "degraded"]
    tools: List[CopilotThreadMessagesItemTurnToolsItem]


class CopilotThreadMessagesItem(TypedDict):
    role: Literal["user", "assistant"]
    content: str
    at: str
    turn: CopilotThreadMessagesItemTurn | None


class CopilotThread(TypedDict):
    id: str
    project_id: str | None
    title: str
    messages: List[CopilotThreadMessagesItem]
    created_at: str
    updated_at: str


class CopilotThreadSummary(TypedDict):
    id: str
    project_id: str | None
    title: str
    messages: int
    created_at: str
    updated_at: str


class ProjectAnswerSentencesItem(TypedDict):
    text: str
    evidence: dict[str, str | float | None]


class ProjectAnswerQuestionsItem(TypedDict):
    id: str
    example: str


class ProjectAnswer(TypedDict):
    project_id: str
    question: str
    shape: str | None
    sentences: List[ProjectAnswerSentencesItem]
    questions: List[ProjectAnswerQuestionsItem]


class SupportQuery(TypedDict):
    id: str
    project_id: str | None
    subject: str
    message: str
    status: Literal["open"]
    created_at: str
    created_by: str


class ToolEnvelopeOk(TypedDict):
    status: Literal["ok"]
    result: JsonValue


class ToolEnvelopeErrorError(TypedDict):
    code: str
    message: str
    advice: str | None
    details: dict[str, JsonValue]


class ToolEnvelopeError(TypedDict):
    status: Literal["error"]
    error: ToolEnvelopeErrorError


class ToolEnvelopeNeedsConfirmation(TypedDict):
    status: Literal["needs_confirmation"]
    argument_hash: str
    prompt: str
    facts: dict[str, JsonValue]


ToolEnvelope: TypeAlias = "ToolEnvelopeOk | ToolEnvelopeError | ToolEnvelopeNeedsConfirmation"


class CopilotChatEventStartData(TypedDict):
    provider: Literal["openrouter", "compatible", "none"]
    model: str | None
    configured: bool
    degraded: bool
    reason: str | None
    autopilot: bool
    withheld: List[Literal["base64", "base85", "bytes", "data_uri", "media_path"]]
    context: JsonValue


class CopilotChatEventStart(TypedDict):
    id: NotRequired[str]
    event: Literal["start"]
    data: CopilotChatEventStartData


class CopilotChatEventTokenData(TypedDict):
    text: str


class CopilotChatEventToken(TypedDict):
    id: NotRequired[str]
    event: Literal["token"]
    data: CopilotChatEventTokenData


class CopilotChatEventToolCallData(TypedDict):
    step: int
    tool: str
    call_id: str
    arguments: JsonValue


class CopilotChatEventToolCall(TypedDict):
    id: NotRequired[str]
    event: Literal["tool_call"]
    data: CopilotChatEventToolCallData


class CopilotChatEventToolResultData(TypedDict):
    step: int
    tool: str
    call_id: str
    result: ToolEnvelope


class CopilotChatEventToolResult(TypedDict):
    id: NotRequired[str]
    event: Literal["tool_result"]
    data: CopilotChatEventToolResultData


class CopilotChatEventConfirmationData(TypedDict):
    step: int
    tool: str
    call_id: str
    arguments: JsonValue
    argument_hash: str
    prompt: str


class CopilotChatEventConfirmation(TypedDict):
    id: NotRequired[str]
    event: Literal["confirmation"]
    data: CopilotChatEventConfirmationData


class CopilotChatEventUsageData(TypedDict):
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    counted_by: Literal["provider", "service"]
    priced_by: Literal["provider", "price_list", "fallback"]


class CopilotChatEventUsage(TypedDict):
    id: NotRequired[str]
    event: Literal["usage"]
    data: CopilotChatEventUsageData


class CopilotChatEventErrorData(TypedDict):
    code: str
    message: str


class CopilotChatEventError(TypedDict):
    id: NotRequired[str]
    event: Literal["error"]
    data: CopilotChatEventErrorData


class CopilotChatEventDoneData(TypedDict):
    steps: int
    stop_reason: Literal["complete", "cancelled", "step_limit", "budget_exceeded", "provider_error", "degraded"]
    thread_id: str


class CopilotChatEventDone(TypedDict):
    id: NotRequired[str]
    event: Literal["done"]
    data: CopilotChatEventDoneData


CopilotChatEvent: TypeAlias = "CopilotChatEventStart | CopilotChatEventToken | CopilotChatEventToolCall | CopilotChatEventToolResult | CopilotChatEventConfirmation | CopilotChatEventUsage | CopilotChatEventError | CopilotChatEventDone"
