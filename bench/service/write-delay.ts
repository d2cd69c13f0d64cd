import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type ServiceProcess, startServiceProcess } from '#test/support/service-process';
import type { Bench } from '../bench.ts';
import { numericSet } from '../lerobot/numeric-set.ts';
import { ms } from './over-http.ts';
import { lagP99_ms, registered } from './service-work.ts';

const limit_ms = 50;
/** Short ones: what the service writes of an episode does not grow with its length, what workers read does. */
const rows = 60;

/** 99th percentile of the event loop delay by stage: of the service, and of an idle process next to it. */
type Delays = Readonly<Record<string, { readonly service_ms: number; readonly idle_ms: number }>>;

/** The event loop of the service while a run writes many episodes and the annotations of layers that run within it. */
export const writeDelayBench: Bench = {
  id: 'service-write',
  title: `The service's event loop while a run writes 100,000 episodes and their annotations (embedded database)`,
  run: async (options) => {
    const episodes = options.quick ? 10_000 : 100_000;
    const set = await numericSet(options, episodes, rows);
    const data = mkdtempSync(join(options.scratch, 'write-'));
    const service = await startServiceProcess({ data, roots: [set] });
    try {
      const { run, delays, took_s } = await measureRun(service, set);
      if (run.status !== 'succeeded') throw new Error(`the run ended ${JSON.stringify(run.error)}`);
      const annotations = await annotationsOf(service, run.project_id);
      options.print(
        `  ${run.episodes.judged} episodes, ${annotations} annotations in ${took_s.toFixed(0)} s`,
      );
      for (const line of linesOf(delays)) options.print(line);
      const worst = Math.max(...Object.values(delays).map(({ service_ms }) => service_ms));
      const passed = worst < limit_ms && run.episodes.judged === episodes && annotations > 0;
      return { passed, figures: { episodes, annotations, took_s, delays } };
    } finally {
      await service.kill();
      rmSync(data, { recursive: true, force: true });
    }
  },
};

/** Asks for the delay whenever the stage has changed: the service counts it anew after each time. */
async function measureRun(service: ServiceProcess, set: string) {
  const { project, source } = await registered(service, set);
  const delays: Record<string, Delays[string]> = {};
  const idle = monitorEventLoopDelay({ resolution: 10 });
  idle.enable();
  await lagP99_ms(service);
  const started = performance.now();
  let run = await service.ask('POST', `/v1/projects/${project}/runs`, { source_id: source });
  for (let stage = run.stage; ; ) {
    await wait(100);
    run = await service.ask('GET', `/v1/runs/${run.id}`);
    const over = run.status !== 'queued' && run.status !== 'running';
    if (run.stage === stage && !over) continue;
    delays[stage] = { service_ms: await lagP99_ms(service), idle_ms: idle.percentile(99) / 1e6 };
    idle.reset();
    stage = run.stage;
    if (over) return { run, delays, took_s: (performance.now() - started) / 1000 };
  }
}

async function annotationsOf(service: ServiceProcess, project: string): Promise<number> {
  const { layers } = await service.ask('GET', `/v1/projects/${project}/annotation/status`);
  type Layer = { readonly covered_episodes: number };
  return layers.reduce((sum: number, layer: Layer) => sum + layer.covered_episodes, 0);
}

const linesOf = (delays: Delays): string[] =>
  Object.entries(delays).map(
    ([stage, { service_ms, idle_ms }]) =>
      `    ${stage}: 99th percentile of the delay ${ms(service_ms)} (under ${limit_ms} ms), in a process that idles beside it ${ms(idle_ms)}`,
  );
