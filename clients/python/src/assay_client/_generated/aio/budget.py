# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ..types.budget import (
    Budget,
    Costs,
)


class AsyncBudgetOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def get(
        self,
        *, options: CallOptions | None = None,
    ) -> Budget:
        """Get the weekly budget cap, spending and reservations.

        Requires the role `viewer` or higher.
        """
        return await self._calls.call("get_budget", {}, options)

    async def set(
        self,
        *,
        cap_usd: float | None,
        options: CallOptions | None = None,
    ) -> Budget:
        """Set or remove the weekly budget cap.

        Queued work keeps its reservation. If the cap is below the amount already spent and
        reserved, new work is refused until enough budget is free.

        Requires the role `admin` or higher.
        """
        return await self._calls.call("set_budget", {"cap_usd": cap_usd}, options)

    async def get_costs(
        self,
        *,
        group_by: Literal["layer", "project", "day", "model"] | Omitted = OMITTED,
        from_: str | Omitted = OMITTED,
        to: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Costs:
        """Get costs by layer, project, day or model.

        Covers the last seven days unless `from` and `to` are given. Costs are measured, not
        estimates.

        Requires the role `viewer` or higher.

        from_: Time in UTC, RFC 3339.
        to: Time in UTC, RFC 3339.
        """
        return await self._calls.call("get_costs", {"group_by": group_by, "from": from_, "to": to}, options)
