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
   * List the strategies that a curation plan is made of.
   *
   * Needs the role `viewer`.
   */
  listStrategies: (
    input: ListCurationStrategiesInput,
    options?: CallOptions,
  ): Promise<Page<CurationStrategy>> => call('list_curation_strategies', input, options),

  /**
   * Run a curation plan without storing anything.
   *
   * Stages run in order over what each leaves. Every dropped episode is attributed to the stage that
   * dropped it, with its reason. An episode that lacks what a stage needs is not assessable for it and
   * stays.
   *
   * Needs the role `viewer`.
   */
  preview: (input: PreviewCurationInput, options?: CallOptions): Promise<CurationResult> =>
    call('preview_curation', input, options),

  /**
   * Run a curation plan and store what it chose.
   *
   * Episodes are not changed and nothing is deleted: the plan says which to train on. With
   * `expected_plan_hash` nothing is stored unless the plan still chooses what the preview showed.
   *
   * Needs the role `engineer`.
   */
  apply: (input: ApplyCurationInput, options?: CallOptions): Promise<CurationPlan> =>
    call('apply_curation', input, options),

  /**
   * Recommend a curation plan for the project’s target and what its data shows.
   *
   * Needs the role `viewer`.
   */
  recommend: (input: RecommendCurationInput, options?: CallOptions): Promise<CurationRecommendation> =>
    call('recommend_curation', input, options),

  /**
   * Apply one strategy alone.
   *
   * The older form of `apply` with one stage; it stores a plan as that does.
   *
   * Needs the role `engineer`.
   */
  curate: (input: CurateInput, options?: CallOptions): Promise<CurationPlan> =>
    call('curate', input, options),

  /**
   * List the curation plans that were applied, newest first.
   *
   * Needs the role `viewer`.
   */
  listPlans: (input: ListCurationPlansInput, options?: CallOptions): Promise<Page<CurationPlanSummary>> =>
    call('list_curation_plans', input, options),

  /**
   * Get an applied curation plan with the outcome of every episode.
   *
   * Needs the role `viewer`.
   */
  getPlan: (input: GetCurationPlanInput, options?: CallOptions): Promise<CurationPlan> =>
    call('get_curation_plan', input, options),

  /**
   * Get integrity, semantic quality and utility of a project’s data.
   *
   * Integrity and semantic quality are means of what receipts say; nothing is measured again. Utility
   * has signals and no number: nothing was trained.
   *
   * Needs the role `viewer`.
   */
  getUtility: (input: GetUtilityInput, options?: CallOptions): Promise<Utility> =>
    call('get_utility', input, options),

  /**
   * Compare the raw, the accepted and the curated episodes by composition.
   *
   * Counts only. Only a probe, or training itself, tells what a subset does for training.
   *
   * Needs the role `viewer`.
   */
  runAblation: (input: RunAblationInput, options?: CallOptions): Promise<Ablation> =>
    call('run_ablation', input, options),

  /**
   * Compare the raw, the accepted and the curated episodes by small policies trained on each.
   *
   * Deterministic: the same episodes, plan, seed, folds and window give the same answer. Seconds of
   * computing; nothing is stored.
   *
   * Needs the role `viewer`.
   */
  runProbe: (input: RunProbeInput, options?: CallOptions): Promise<Probe> =>
    call('run_probe', input, options),

  /**
   * Rank what a project’s data under-covers.
   *
   * Against `least_episodes` of every part where it is given, else against an even spread over the parts
   * that the set has. Rejected episodes do not count.
   *
   * Needs the role `viewer`.
   */
  getDistributionGap: (input: GetDistributionGapInput, options?: CallOptions): Promise<DistributionGap> =>
    call('get_distribution_gap', input, options),

  /**
   * Compare the classes of a project’s labels with those that its workspace declares.
   *
   * Needs the role `viewer`.
   */
  getOntologySummary: (input: GetOntologySummaryInput, options?: CallOptions): Promise<OntologySummary> =>
    call('get_ontology_summary', input, options),

  /**
   * Rename and merge classes of a project, and edit what its workspace declares.
   *
   * What is left out stays. Recordings and annotations are not changed: names are changed where they are
   * shown. A rename to a class that is there merges the two.
   *
   * Needs the role `engineer`.
   */
  setOntologySummary: (input: SetOntologySummaryInput, options?: CallOptions): Promise<OntologySummary> =>
    call('set_ontology_summary', input, options),
});
