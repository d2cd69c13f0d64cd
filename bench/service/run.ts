import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '#test/support/service-process';
import type { Bench, BenchOptions } from '../bench.ts';
import { numericSet } from '../lerobot/numeric-set.ts';
import { medianCost } from '../support/measured-process.ts';
import { lagP99_ms, registered, switchOffLayers, timedRun } from './service-work.ts';

const program = join(import.meta.dirname, '../../bin/assay');
const rounds = 3;

/** A run through the service against `assess` on the same folder, the event loop meanwhile, and a second start. */
export const serviceRunBench: Bench = {
  id: 'service-run',
  title: 'A run through the service (embedded database) against assess; LeRobot v3 without video',
  run: async (options) => {
    const episodes = options.quick ? 2_000 : 10_000;
    const figures = { episodes, ...(await measure(await numericSet(options, episodes))) };
    print(options, figures);
    const { run_s, assess_s, lag_p99_ms, restart_ms } = figures;
    return { passed: run_s <= 1.5 * assess_s && lag_p99_ms < 50 && restart_ms <= 3000, figures };
  },
};

/** Medians; in turn, so that a machine whose speed changes changes all of them. */
async function measure(set: string) {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-service-'));
  const out = join(scratch, 'report');
  const assess = ['assess', set];
  const [bare, kept, judged, full]: [number[], number[], number[], TimedRun[]] = [[], [], [], []];
  try {
    for (let round = 0; round < rounds; round++) {
      bare.push((await medianCost(1, process.execPath, [program, ...assess])).wall_s);
      kept.push((await medianCost(1, process.execPath, [program, ...assess, '--out', out])).wall_s);
      rmSync(out, { recursive: true, force: true });
      judged.push((await timeRun(join(scratch, `judged-${round}`), set, false)).run_s);
      full.push(await timeRun(join(scratch, `full-${round}`), set, true));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const { run_s, lag_p99_ms, restart_ms } = full.toSorted((a, b) => a.run_s - b.run_s)[rounds >> 1];
  return {
    ...{ assess_s: medianOf(bare), assess_out_s: medianOf(kept), run_without_layers_s: medianOf(judged) },
    ...{ run_s, lag_p99_ms, restart_ms },
  };
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

type Figures = Awaited<ReturnType<typeof measure>>;

function print({ print }: BenchOptions, figures: Figures): void {
  const { assess_s, assess_out_s, run_without_layers_s, run_s, lag_p99_ms, restart_ms } = figures;
  const against = (seconds: number) =>
    `${seconds.toFixed(2)} s, ${(seconds / assess_s).toFixed(2)} times assess, ` +
    `${(seconds / assess_out_s).toFixed(2)} times the one that writes what a run keeps`;
  print(`  assess: ${assess_s.toFixed(2)} s; with receipts and report written: ${assess_out_s.toFixed(2)} s`);
  print(`  run, its layers off: ${against(run_without_layers_s)}`);
  print(`  run with the layers of its preset: ${against(run_s)} (at most 1.5 times assess)`);
  print(
    `  event loop while it ran: 99th percentile of its delay ${lag_p99_ms.toFixed(0)} ms (under 50)\n` +
      `  second start of the data folder: ready after ${(restart_ms / 1000).toFixed(2)} s (at most 3)`,
  );
}

interface TimedRun {
  readonly run_s: number;
  readonly lag_p99_ms: number;
  readonly restart_ms: number;
}

/** `layers`: those of the preset; else none. */
async function timeRun(data: string, set: string, layers: boolean): Promise<TimedRun> {
  const service = await startServiceProcess({ data, roots: [set] });
  try {
    const { project, source } = await registered(service, set);
    if (!layers) await switchOffLayers(service, project);
    await lagP99_ms(service);
    const run_s = await timedRun(service, project, source);
    const lag_p99_ms = await lagP99_ms(service);
    await service.stop();
    const again = await startServiceProcess({ data, roots: [set] });
    await again.stop();
    return { run_s, lag_p99_ms, restart_ms: again.ready_ms };
  } finally {
    await service.kill();
  }
}
