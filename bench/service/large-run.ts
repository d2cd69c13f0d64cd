import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '#test/support/service-process';
import type { Bench } from '../bench.ts';
import { numericSet } from '../lerobot/numeric-set.ts';
import { treeMemory_mb } from '../support/measured-process.ts';
import { registered, timedRun } from './service-work.ts';

const limit_mb = 500;
const restartLimit_ms = 3000;
/** After the run: what its threads and children held has been given back by then, or is kept for good. */
const settle_ms = 60_000;

/** Measures the memory of a service after it has evaluated a large dataset, and the time of its answers. */
export const serviceLargeBench: Bench = {
  id: 'service-large',
  title: 'The service after a run over 100,000 episodes: memory and second start (embedded database)',
  run: async (options) => {
    const episodes = options.quick ? 10_000 : 100_000;
    const set = await numericSet(options, episodes);
    const data = mkdtempSync(join(tmpdir(), 'assay-bench-large-'));
    try {
      const figures = { episodes, ...(await measure(data, set)) };
      options.print(
        `  ${episodes} episodes in ${figures.run_s.toFixed(0)} s; memory at its end ${figures.end_mb.toFixed(0)} MB, ` +
          `a minute later ${figures.settled_mb.toFixed(0)} MB (at most ${limit_mb})\n` +
          `  second start: ready after ${(figures.restart_ms / 1000).toFixed(2)} s (at most ${restartLimit_ms / 1000}), ` +
          `then ${figures.restarted_mb.toFixed(0)} MB`,
      );
      return {
        passed: figures.settled_mb <= limit_mb && figures.restart_ms <= restartLimit_ms,
        figures,
      };
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  },
};

async function measure(data: string, set: string) {
  const service = await startServiceProcess({ data, roots: [set] });
  const memory_mb = (of = service) => treeMemory_mb(of.child.pid!) ?? Number.NaN;
  try {
    const { project, source } = await registered(service, set);
    const run_s = await timedRun(service, project, source);
    const end_mb = memory_mb();
    await new Promise((resolve) => setTimeout(resolve, settle_ms));
    const settled_mb = memory_mb();
    await service.stop();
    const again = await startServiceProcess({ data, roots: [set] });
    const restarted_mb = memory_mb(again);
    await again.stop();
    return { run_s, end_mb, settled_mb, restart_ms: again.ready_ms, restarted_mb };
  } finally {
    await service.kill();
  }
}
