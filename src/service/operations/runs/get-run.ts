import type { Run } from '#core/api';
import { runOf } from '#engine';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadRun } from './load-run.ts';

/** One run. Throws `not_found`. */
export async function getRun(
  store: Store,
  call: Call,
  { run_id }: { readonly run_id: string },
): Promise<Run> {
  requireRole(call, 'viewer');
  return runOf(await loadRun(scopeOf(store, call), run_id));
}
