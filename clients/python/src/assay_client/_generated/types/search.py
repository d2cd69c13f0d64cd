# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

from .shared import (
    EpisodeSummary,
    RankedBy,
    SearchCoverage,
    SearchFilter,
    SearchQuery,
)


class SearchAnswerItemsItemMoment(TypedDict):
    from_s: float
    to_s: float


class SearchAnswerItemsItem(TypedDict):
    score: float | None
    why: str
    moment: SearchAnswerItemsItemMoment | None
    episode: EpisodeSummary


class SearchAnswer(TypedDict):
    query: SearchQuery
    ranked_by: RankedBy | None
    coverage: SearchCoverage
    items: List[SearchAnswerItemsItem]
    next_cursor: str | None
    response_hash: str


class SearchQueryInput(TypedDict):
    filter: NotRequired[SearchFilter]
    rank: NotRequired[SearchRankInput | None]


class SearchRankInputText(TypedDict):
    by: Literal["text"]
    text: str
    match: NotRequired[Literal["meaning", "words"]]


class SearchRankInputLikeMoment(TypedDict):
    from_s: float
    to_s: float


class SearchRankInputLike(TypedDict):
    by: Literal["like"]
    episode_id: str
    descriptor: NotRequired[str]
    moment: NotRequired[SearchRankInputLikeMoment | None]


SearchRankInput: TypeAlias = "SearchRankInputText | SearchRankInputLike"


class SliceDiffOnlyHere(TypedDict):
    episodes: int
    episode_ids: List[str]


class SliceDiffOnlyThere(TypedDict):
    episodes: int
    episode_ids: List[str]


SliceDiff = TypedDict(
    "SliceDiff",
    {
        "slice_id": "str",
        "with": "str | None",
        "both": "int",
        "judged_again": "int",
        "only_here": "SliceDiffOnlyHere",
        "only_there": "SliceDiffOnlyThere",
    },
)


class SliceMember(TypedDict):
    place: int
    episode_id: str
    receipt_hash: str
    score: float | None
    episode: EpisodeSummary | None
