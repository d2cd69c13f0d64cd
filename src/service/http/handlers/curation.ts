import type { curationOperations } from '#core/api/operations';
import {
  applyCuration,
  curate,
  getCurationPlan,
  getDistributionGap,
  getOntologySummary,
  getUtility,
  listCurationPlans,
  listStrategies,
  previewCuration,
  recommendCuration,
  runAblation,
  runProjectProbe,
  setOntologySummary,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of curation, utility and the ontology. */
export const curationHandlers = {
  list_curation_strategies: ({ store, call }, { params, query }) =>
    listStrategies(store, call, { ...params, ...query }),
  preview_curation: ({ store, call }, { params, body }) =>
    previewCuration(store, call, { ...params, ...body }),
  apply_curation: ({ store, call }, { params, body }) => applyCuration(store, call, { ...params, ...body }),
  recommend_curation: ({ store, call }, { params }) => recommendCuration(store, call, params),
  curate: ({ store, call }, { params, body }) => curate(store, call, { ...params, ...body }),
  list_curation_plans: ({ store, call }, { params, query }) =>
    listCurationPlans(store, call, { ...params, ...query }),
  get_curation_plan: ({ store, call }, { params }) => getCurationPlan(store, call, params),
  get_utility: ({ store, call }, { params }) => getUtility(store, call, params),
  run_ablation: ({ store, call }, { params, body }) => runAblation(store, call, { ...params, ...body }),
  run_probe: ({ store, call }, { params, body }) => runProjectProbe(store, call, { ...params, ...body }),
  get_distribution_gap: ({ store, call }, { params, query }) =>
    getDistributionGap(store, call, { ...params, ...query }),
  get_ontology_summary: ({ store, call }, { params }) => getOntologySummary(store, call, params),
  set_ontology_summary: ({ store, call }, { params, body }) =>
    setOntologySummary(store, call, { ...params, ...body }),
} satisfies HandlersOf<typeof curationOperations>;
