import type { CurationPlan } from '#core/api';
import type { Store } from '#store';
import type { Call } from '../call.ts';
import { applyCuration } from './apply-curation.ts';

export interface Curate {
  readonly project_id: string;
  readonly strategy: string;
  readonly parameters?: CurationPlan['plan']['stages'][number]['parameters'] | undefined;
  readonly seed?: number | undefined;
  readonly name?: string | undefined;
}

/** One strategy alone, as a plan of one stage. Throws as `applyCuration`. */
export function curate(
  store: Store,
  call: Call,
  { project_id, strategy, parameters, seed, name }: Curate,
): Promise<CurationPlan> {
  return applyCuration(store, call, { project_id, seed, name, stages: [{ strategy, parameters }] });
}
