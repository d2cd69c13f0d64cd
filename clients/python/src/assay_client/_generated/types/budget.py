# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

from typing_extensions import NotRequired, TypedDict


BudgetWindow = TypedDict(
    "BudgetWindow",
    {
        "days": "int",
        "from": "str",
        "to": "str",
    },
)


class Budget(TypedDict):
    cap_usd: float | None
    spent_usd: float
    reserved_usd: float
    remaining_usd: float | None
    window: BudgetWindow
    prices: NotRequired[PriceList]


CostsWindow = TypedDict(
    "CostsWindow",
    {
        "from": "str",
        "to": "str",
    },
)


class CostsItemsItem(TypedDict):
    key: str | None
    amount_usd: float
    waived_usd: float
    compute_s: float
    charges: int


class Costs(TypedDict):
    group_by: Literal["layer", "project", "day", "model"]
    window: CostsWindow
    items: List[CostsItemsItem]
    total_usd: float


class PriceListDevices(TypedDict):
    cpu: NotRequired[float]
    gpu: NotRequired[float]


class PriceListLayersValue(TypedDict):
    cpu: NotRequired[float]
    gpu: NotRequired[float]
    compute_usd_per_s: NotRequired[float]


class PriceListModelsValue(TypedDict):
    prompt_usd_per_mtok: float
    completion_usd_per_mtok: float


class PriceListUnlistedModels(TypedDict):
    prompt_usd_per_mtok: float
    completion_usd_per_mtok: float


class PriceList(TypedDict):
    compute_usd_per_s: float
    devices: PriceListDevices
    layers: dict[str, PriceListLayersValue]
    models: dict[str, PriceListModelsValue]
    unlisted_models: NotRequired[PriceListUnlistedModels]
