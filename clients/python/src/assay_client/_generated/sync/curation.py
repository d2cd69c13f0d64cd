# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List


from ...calls import Calls
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


class CurationOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list_strategies(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[CurationStrategy]:
        """List the strategies that a curation plan is made of.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_curation_strategies", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    def preview(
        self,
        *,
        project_id: str,
        body: CurationPlanInput,
        options: CallOptions | None = None,
    ) -> CurationResult:
        """Run a curation plan without storing anything.

        Stages run in order over what each leaves. Every dropped episode is attributed to the stage
        that dropped it, with its reason. An episode that lacks what a stage needs is not assessable
        for it and stays.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("preview_curation", {"project_id": project_id, "body": body}, options, whole_body=True)

    def apply(
        self,
        *,
        project_id: str,
        stages: List[ApplyCurationStagesItem],
        seed: int | Omitted = OMITTED,
        name: str | Omitted = OMITTED,
        expected_plan_hash: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CurationPlan:
        """Run a curation plan and store what it chose.

        Episodes are not changed and nothing is deleted: the plan says which to train on. With
        `expected_plan_hash` nothing is stored unless the plan still chooses what the preview
        showed.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("apply_curation", {"project_id": project_id, "seed": seed, "stages": stages, "name": name, "expected_plan_hash": expected_plan_hash}, options)

    def recommend(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> CurationRecommendation:
        """Recommend a curation plan for the project’s target and what its data shows.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("recommend_curation", {"project_id": project_id}, options)

    def curate(
        self,
        *,
        project_id: str,
        strategy: str,
        parameters: dict[str, JsonValue] | Omitted = OMITTED,
        seed: int | Omitted = OMITTED,
        name: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CurationPlan:
        """Apply one strategy alone.

        The older form of `apply` with one stage; it stores a plan as that does.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("curate", {"project_id": project_id, "strategy": strategy, "parameters": parameters, "seed": seed, "name": name}, options)

    def list_plans(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[CurationPlanSummary]:
        """List the curation plans that were applied, newest first.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_curation_plans", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    def get_plan(
        self,
        *,
        project_id: str,
        plan_id: str,
        options: CallOptions | None = None,
    ) -> CurationPlan:
        """Get an applied curation plan with the outcome of every episode.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        plan_id: id, `cur_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_curation_plan", {"project_id": project_id, "plan_id": plan_id}, options)

    def get_utility(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> Utility:
        """Get integrity, semantic quality and utility of a project’s data.

        Integrity and semantic quality are means of what receipts say; nothing is measured again.
        Utility has signals and no number: nothing was trained.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_utility", {"project_id": project_id}, options)

    def run_ablation(
        self,
        *,
        project_id: str,
        plan: CurationPlanInput | Omitted = OMITTED,
        plan_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Ablation:
        """Compare the raw, the accepted and the curated episodes by composition.

        Counts only. Only a probe, or training itself, tells what a subset does for training.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        plan_id: id, `cur_` and a time-ordered UUID in base32
        """
        return self._calls.call("run_ablation", {"project_id": project_id, "plan": plan, "plan_id": plan_id}, options)

    def run_probe(
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
        """Compare the raw, the accepted and the curated episodes by small policies trained on each.

        Deterministic: the same episodes, plan, seed, folds and window give the same answer. Seconds
        of computing; nothing is stored.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        plan_id: id, `cur_` and a time-ordered UUID in base32
        """
        return self._calls.call("run_probe", {"project_id": project_id, "plan": plan, "plan_id": plan_id, "seed": seed, "folds": folds, "window": window}, options)

    def get_distribution_gap(
        self,
        *,
        project_id: str,
        least_episodes: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> DistributionGap:
        """Rank what a project’s data under-covers.

        Against `least_episodes` of every part where it is given, else against an even spread over
        the parts that the set has. Rejected episodes do not count.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_distribution_gap", {"project_id": project_id, "least_episodes": least_episodes}, options)

    def get_ontology_summary(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> OntologySummary:
        """Compare the classes of a project’s labels with those that its workspace declares.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_ontology_summary", {"project_id": project_id}, options)

    def set_ontology_summary(
        self,
        *,
        project_id: str,
        renames: dict[str, str | None] | Omitted = OMITTED,
        merges: List[SetOntologySummaryMergesItem] | Omitted = OMITTED,
        declare: List[str] | Omitted = OMITTED,
        undeclare: List[str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> OntologySummary:
        """Rename and merge classes of a project, and edit what its workspace declares.

        What is left out stays. Recordings and annotations are not changed: names are changed where
        they are shown. A rename to a class that is there merges the two.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("set_ontology_summary", {"project_id": project_id, "renames": renames, "merges": merges, "declare": declare, "undeclare": undeclare}, options)
