# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.curation import (
    Ablation,
    ApplyCurationStagesItem,
    CurationPlan,
    CurationRecommendation,
    CurationResult,
    CurationStrategy,
    DistributionGap,
    OntologySummary,
    Probe,
    SetOntologySummaryMergesItem,
    Utility,
)
from ..types.shared import (
    CurationPlanInput,
    CurationPlanSummary,
    JsonValue,
)


class AsyncCurationOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def list_strategies(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[CurationStrategy]:
        """List curation strategies.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_curation_strategies", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    async def preview(
        self,
        *,
        project_id: str,
        body: CurationPlanInput,
        options: CallOptions | None = None,
    ) -> CurationResult:
        """Preview a curation plan without storing it.

        Stages run in order, each on the episodes kept by the one before. Every dropped episode is
        listed with the stage that dropped it and the reason. An episode without the data that a
        stage needs is reported as not assessable for that stage and kept.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("preview_curation", {"project_id": project_id, "body": body}, options, whole_body=True)

    async def apply(
        self,
        *,
        project_id: str,
        stages: List[ApplyCurationStagesItem],
        seed: int | Omitted = OMITTED,
        name: str | Omitted = OMITTED,
        expected_plan_hash: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CurationPlan:
        """Run a curation plan and store its selection.

        Stores which episodes to train on; no episode is changed or deleted. With
        `expected_plan_hash`, returns 409 if the plan no longer selects the episodes shown in the
        preview.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("apply_curation", {"project_id": project_id, "seed": seed, "stages": stages, "name": name, "expected_plan_hash": expected_plan_hash}, options)

    async def recommend(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> CurationRecommendation:
        """Recommend a curation plan for the project’s target and data.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("recommend_curation", {"project_id": project_id}, options)

    async def curate(
        self,
        *,
        project_id: str,
        strategy: str,
        parameters: dict[str, JsonValue] | Omitted = OMITTED,
        seed: int | Omitted = OMITTED,
        name: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CurationPlan:
        """Apply a single curation strategy.

        Older form of `apply` with one stage. It also stores a plan.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("curate", {"project_id": project_id, "strategy": strategy, "parameters": parameters, "seed": seed, "name": name}, options)

    async def list_plans(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[CurationPlanSummary]:
        """List applied curation plans, newest first.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_curation_plans", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    async def get_plan(
        self,
        *,
        project_id: str,
        plan_id: str,
        options: CallOptions | None = None,
    ) -> CurationPlan:
        """Get an applied curation plan with the outcome of every episode.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        plan_id: Id: `cur_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_curation_plan", {"project_id": project_id, "plan_id": plan_id}, options)

    async def get_utility(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> Utility:
        """Get integrity, semantic quality and utility of a project’s data.

        Integrity and semantic quality are averages of the receipts’ check scores; nothing is
        measured again. Utility lists signals without a score, because no policy is trained.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_utility", {"project_id": project_id}, options)

    async def run_ablation(
        self,
        *,
        project_id: str,
        plan: CurationPlanInput | Omitted = OMITTED,
        plan_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Ablation:
        """Compare the composition of all, accepted and curated episodes.

        Returns counts only. To compare training value, use the probe or train a policy.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        plan_id: Id: `cur_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("run_ablation", {"project_id": project_id, "plan": plan, "plan_id": plan_id}, options)

    async def run_probe(
        self,
        *,
        project_id: str,
        plan: CurationPlanInput | Omitted = OMITTED,
        plan_id: str | Omitted = OMITTED,
        seed: int | Omitted = OMITTED,
        folds: int | Omitted = OMITTED,
        window: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Probe:
        """Compare all, accepted and curated episodes by training small probe policies.

        Deterministic: the same episodes, plan, seed, folds and window give the same result. Takes
        seconds; nothing is stored.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        plan_id: Id: `cur_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("run_probe", {"project_id": project_id, "plan": plan, "plan_id": plan_id, "seed": seed, "folds": folds, "window": window}, options)

    async def get_distribution_gap(
        self,
        *,
        project_id: str,
        least_episodes: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> DistributionGap:
        """Rank the gaps in a project’s data distribution.

        Compares the number of episodes in each part (task, robot, …) with `least_episodes` if
        given, otherwise with an even distribution over the parts that occur. Rejected episodes are
        not counted.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_distribution_gap", {"project_id": project_id, "least_episodes": least_episodes}, options)

    async def get_ontology_summary(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> OntologySummary:
        """Compare the classes of a project’s labels and annotations with those declared by its
        workspace.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_ontology_summary", {"project_id": project_id}, options)

    async def set_ontology_summary(
        self,
        *,
        project_id: str,
        renames: dict[str, str | None] | Omitted = OMITTED,
        merges: List[SetOntologySummaryMergesItem] | Omitted = OMITTED,
        declare: List[str] | Omitted = OMITTED,
        undeclare: List[str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> OntologySummary:
        """Rename or merge a project’s classes and edit the workspace’s declared classes.

        Omitted fields keep their values. Recordings and annotations are not changed; new names
        apply in searches, slices, curation, exports and overlays. Renaming a class to an existing
        one merges the two. A rename or merge of a class that is neither found nor declared is
        refused.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("set_ontology_summary", {"project_id": project_id, "renames": renames, "merges": merges, "declare": declare, "undeclare": undeclare}, options)
