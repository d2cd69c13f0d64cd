import { runResultRows, runRows, sweepOrphans } from '#store';
import type { Engine } from '../engine.ts';
import { straggling_s } from '../straggling.ts';
import { blobPrefix, reportPrefix } from './briefs.ts';
import { type RunRef, workOf } from './run-ref.ts';

/** Deletes blobs of a run that no row names and that were written before. */
export async function sweepRun(engine: Engine, ref: RunRef, written_before: Date): Promise<void> {
  const prefix = `${blobPrefix(ref)}/`;
  const report = `${reportPrefix(blobPrefix(ref))}/`;
  await sweepOrphans(engine.store.blobs, {
    prefix,
    written_before,
    known: async (keys) => {
      const named = await runResultRows.namedBlobs(workOf(engine.store, ref), keys);
      // Known by its place: it is drawn again under the same names.
      return new Set([...named, ...keys.filter((key) => key.startsWith(report))]);
    },
  });
}

/** Once more after a run has ended: a process that was cut off may have written after the first sweep. */
export async function sweepStep(engine: Engine, ref: RunRef): Promise<void> {
  const { sql } = engine.store.database;
  const run = await runRows.getRun({ sql, tenant_id: ref.tenant_id }, ref.run_id);
  // Resumed meanwhile: its end sweeps.
  if (run === null || run.attempt !== ref.attempt || run.status === 'running') return;
  await sweepRun(engine, ref, new Date(Date.now() - (straggling_s / 2) * 1000));
}
