// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  ApplyCurationInput,
  CurateInput,
  GetCurationPlanInput,
  GetDistributionGapInput,
  GetOntologySummaryInput,
  GetUtilityInput,
  ListCurationPlansInput,
  ListCurationStrategiesInput,
  PreviewCurationInput,
  RecommendCurationInput,
  RunAblationInput,
  RunProbeInput,
  SetOntologySummaryInput,
} from '../types/curation-calls.ts';
import type {
  Ablation,
  CurationPlan,
  CurationRecommendation,
  CurationResult,
  CurationStrategy,
  DistributionGap,
  OntologySummary,
  Probe,
  Utility,
} from '../types/curation.ts';
import type { CurationPlanSummary, Page } from '../types/shared.ts';

export const curation = ({ call }: Calls) => ({
  /**
   * List curation strategies.
   *
   * Requires the role `viewer` or higher.
   */
  listStrategies: (
    input: ListCurationStrategiesInput,
    options?: CallOptions,
  ): Promise<Page<CurationStrategy>> => call('list_curation_strategies', input, options),

  /**
   * Preview a curation plan without storing it.
   *
   * Stages run in order, each on the episodes kept by the one before. Every dropped episode is listed
   * with the stage that dropped it and the reason. An episode without the data that a stage needs is
   * reported as not assessable for that stage and kept.
   *
   * Requires the role `viewer` or higher.
   */
  preview: (input: PreviewCurationInput, options?: CallOptions): Promise<CurationResult> =>
    call('preview_curation', input, options),

  /**
   * Run a curation plan and store its selection.
   *
   * Stores which episodes to train on; no episode is changed or deleted. With `expected_plan_hash`,
   * returns 409 if the plan no longer selects the episodes shown in the preview.
   *
   * Requires the role `engineer` or higher.
   */
  apply: (input: ApplyCurationInput, options?: CallOptions): Promise<CurationPlan> =>
    call('apply_curation', input, options),

  /**
   * Recommend a curation plan for the project’s target and data.
   *
   * Requires the role `viewer` or higher.
   */
  recommend: (input: RecommendCurationInput, options?: CallOptions): Promise<CurationRecommendation> =>
    call('recommend_curation', input, options),

  /**
   * Apply a single curation strategy.
   *
   * Older form of `apply` with one stage. It also stores a plan.
   *
   * Requires the role `engineer` or higher.
   */
  curate: (input: CurateInput, options?: CallOptions): Promise<CurationPlan> =>
    call('curate', input, options),

  /**
   * List applied curation plans, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  listPlans: (input: ListCurationPlansInput, options?: CallOptions): Promise<Page<CurationPlanSummary>> =>
    call('list_curation_plans', input, options),

  /**
   * Get an applied curation plan with the outcome of every episode.
   *
   * Requires the role `viewer` or higher.
   */
  getPlan: (input: GetCurationPlanInput, options?: CallOptions): Promise<CurationPlan> =>
    call('get_curation_plan', input, options),

  /**
   * Get integrity, semantic quality and utility of a project’s data.
   *
   * Integrity and semantic quality are averages of the receipts’ check scores; nothing is measured
   * again. Utility lists signals without a score, because no policy is trained.
   *
   * Requires the role `viewer` or higher.
   */
  getUtility: (input: GetUtilityInput, options?: CallOptions): Promise<Utility> =>
    call('get_utility', input, options),

  /**
   * Compare the composition of all, accepted and curated episodes.
   *
   * Returns counts only. To compare training value, use the probe or train a policy.
   *
   * Requires the role `viewer` or higher.
   */
  runAblation: (input: RunAblationInput, options?: CallOptions): Promise<Ablation> =>
    call('run_ablation', input, options),

  /**
   * Compare all, accepted and curated episodes by training small probe policies.
   *
   * Deterministic: the same episodes, plan, seed, folds and window give the same result. Takes seconds;
   * nothing is stored.
   *
   * Requires the role `viewer` or higher.
   */
  runProbe: (input: RunProbeInput, options?: CallOptions): Promise<Probe> =>
    call('run_probe', input, options),

  /**
   * Rank the gaps in a project’s data distribution.
   *
   * Compares the number of episodes in each part (task, robot, …) with `least_episodes` if given,
   * otherwise with an even distribution over the parts that occur. Rejected episodes are not counted.
   *
   * Requires the role `viewer` or higher.
   */
  getDistributionGap: (input: GetDistributionGapInput, options?: CallOptions): Promise<DistributionGap> =>
    call('get_distribution_gap', input, options),

  /**
   * Compare the classes of a project’s labels and annotations with those declared by its workspace.
   *
   * Requires the role `viewer` or higher.
   */
  getOntologySummary: (input: GetOntologySummaryInput, options?: CallOptions): Promise<OntologySummary> =>
    call('get_ontology_summary', input, options),

  /**
   * Rename or merge a project’s classes and edit the workspace’s declared classes.
   *
   * Omitted fields keep their values. Recordings and annotations are not changed; new names apply in
   * searches, slices, curation, exports and overlays. Renaming a class to an existing one merges the
   * two. A rename or merge of a class that is neither found nor declared is refused.
   *
   * Requires the role `engineer` or higher.
   */
  setOntologySummary: (input: SetOntologySummaryInput, options?: CallOptions): Promise<OntologySummary> =>
    call('set_ontology_summary', input, options),
});
