import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ServiceProcess, startServiceProcess } from '#test/support/service-process';
import type { Bench, BenchOptions } from '../bench.ts';
import { numericSet } from '../lerobot/numeric-set.ts';
import { treeMemory_mb } from '../support/measured-process.ts';
import { registered } from './service-work.ts';

const most_s = 10;
/** More than the service takes that does nothing. */
const most_mb = 500;

/** A certified bundle of many episodes over the service: made undisturbed, and killed half-way; the same seal each time. */
export const certificationJobBench: Bench = {
  id: 'service-certification',
  title: 'Certifying 10,000 episodes over the service (embedded database), undisturbed and killed half-way',
  run: async (options) => {
    const episodes = options.quick ? 1000 : 10_000;
    const set = await numericSet(options, episodes);
    const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-certify-'));
    try {
      return await measure(options, join(scratch, 'data'), set);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measure({ print }: BenchOptions, data: string, set: string) {
  const options = { data, roots: [set] };
  let service = await startServiceProcess(options);
  const { project, source } = await registered(service, set);
  const run = await service.ask('POST', `/v1/projects/${project}/runs`, { source_id: source });
  await ended(service, `/v1/runs/${run.id}`);
  await service.stop();

  service = await startServiceProcess(options);
  const whole = await bundled(service, await ordered(service, project));
  await service.ask('DELETE', whole.path);

  const path = await ordered(service, project);
  await wait((whole.took_s / 2) * 1000);
  await service.kill();
  service = await startServiceProcess(options);
  const again = await bundled(service, path);
  await service.stop();

  const same = whole.seal === again.seal;
  print(
    `  undisturbed: ${whole.took_s.toFixed(1)} s (at most ${most_s}), ${whole.peak_mb.toFixed(0)} MB with the service and its threads (${whole.before_mb.toFixed(0)} MB before)`,
  );
  print(
    `  killed half-way: ${again.took_s.toFixed(1)} s after the next start, ${same ? 'with the same seal' : 'WITH ANOTHER SEAL'}`,
  );
  return {
    passed: same && whole.took_s <= most_s && whole.peak_mb - whole.before_mb <= most_mb,
    figures: { whole, again, same },
  };
}

/** Asks for a bundle; gives the path of the export. */
async function ordered(service: ServiceProcess, project: string): Promise<string> {
  const bundle = await service.ask('POST', `/v1/projects/${project}/certification/export`);
  return `/v1/projects/${project}/exports/${bundle.id}`;
}

/** Waits for a bundle; gives its seal, the time that it took and the most memory meanwhile. */
async function bundled(service: ServiceProcess, path: string) {
  const memory = () => treeMemory_mb(service.child.pid ?? 0) ?? Number.NaN;
  const started = performance.now();
  const before_mb = memory();
  let peak_mb = before_mb;
  const bundle = await ended(service, path, () => {
    peak_mb = Math.max(peak_mb, memory());
  });
  const took_s = (performance.now() - started) / 1000;
  return { path, seal: bundle.seal as string, took_s, peak_mb, before_mb };
}

/** Asks until work is over; throws where it did not succeed. */
async function ended(service: ServiceProcess, path: string, meanwhile = () => {}) {
  for (;;) {
    const work = await service.ask('GET', path);
    if (work.status === 'succeeded' || work.status === 'sealed') return work;
    if (work.status !== 'queued' && work.status !== 'running')
      throw new Error(`${path} ended as ${work.status}: ${JSON.stringify(work.error)}`);
    meanwhile();
    await wait(100);
  }
}
