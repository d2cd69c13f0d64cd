// Written by `npm run generate` from src/core/api. Change it there.
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

export interface CurationOperations {
  list_curation_strategies: {
    input: ListCurationStrategiesInput;
    answer: Page<CurationStrategy>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  preview_curation: {
    input: PreviewCurationInput;
    answer: CurationResult;
    error:
      | 'busy'
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  apply_curation: {
    input: ApplyCurationInput;
    answer: CurationPlan;
    error:
      | 'busy'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'plan_changed'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  recommend_curation: {
    input: RecommendCurationInput;
    answer: CurationRecommendation;
    error: 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  curate: {
    input: CurateInput;
    answer: CurationPlan;
    error:
      | 'busy'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_curation_plans: {
    input: ListCurationPlansInput;
    answer: Page<CurationPlanSummary>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_curation_plan: {
    input: GetCurationPlanInput;
    answer: CurationPlan;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_utility: {
    input: GetUtilityInput;
    answer: Utility;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  run_ablation: {
    input: RunAblationInput;
    answer: Ablation;
    error:
      | 'busy'
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  run_probe: {
    input: RunProbeInput;
    answer: Probe;
    error:
      | 'busy'
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_distribution_gap: {
    input: GetDistributionGapInput;
    answer: DistributionGap;
    error: 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_ontology_summary: {
    input: GetOntologySummaryInput;
    answer: OntologySummary;
    error: 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  set_ontology_summary: {
    input: SetOntologySummaryInput;
    answer: OntologySummary;
    error:
      | 'forbidden'
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
