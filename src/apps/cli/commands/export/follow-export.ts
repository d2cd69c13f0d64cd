import { setTimeout as pause } from 'node:timers/promises';
import { type AssayClient, type Export, requestOf } from '@assay/client';
import { again_ms, demandPassing } from '../../demand-passing.ts';
import type { Io } from '../../io.ts';
import { createJobLine } from '../../tables/job-line.ts';

/** Between two looks at how far it is. */
const look_ms = 500;

export const isOver = ({ status }: Export): boolean => status !== 'queued' && status !== 'running';

/** What operations on one export are asked with. */
export const ofExport = ({ id, project_id }: Export) => ({ project_id, export_id: id });

/**
 * Shows how an export goes on, until its end or until the person stops watching; gives it as it was last told. Throws
 * `storage_unavailable` where the service stays away.
 */
export async function followExport(client: AssayClient, made: Export, io: Io): Promise<Export> {
  const line = createJobLine(io, 'export');
  let [now, heard_ms] = [made, performance.now()];
  try {
    while (!isOver(now) && !io.signal.aborted) {
      line.show({ done: now.episodes.written, total: now.episodes.kept, eta_s: null });
      await pause(look_ms, null, { signal: io.signal }).catch(() => {});
      try {
        const next = await client.exports.get(ofExport(made), { tries: 1 });
        const waits = next.waiting?.message;
        if (waits !== undefined && waits !== now.waiting?.message) line.say(`the export waits: ${waits}`);
        [now, heard_ms] = [next, performance.now()];
      } catch (thrown) {
        demandPassing(thrown, heard_ms, 'export', requestOf('get_export', ofExport(made)).path);
        await pause(again_ms, null, { signal: io.signal }).catch(() => {});
      }
    }
    return now;
  } finally {
    line.end();
  }
}
