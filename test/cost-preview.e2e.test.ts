import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flatPrices } from '#core/api';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { type ServedRuns, serveRuns } from './support/served-runs.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-cost-preview-'));
let service: RunService;
let served: ServedRuns;
let settings: string;
beforeAll(async () => {
  await generateNumericSet(place, 20);
  service = await openRunService({ roots: [place], prices: flatPrices(2) });
  served = await serveRuns(service);
  settings = `projects/${service.project_id}/annotation/settings`;
}, 60_000);
afterAll(async () => {
  await served?.close();
  await service?.close();
  rmSync(place, { recursive: true, force: true });
});

interface Previewed {
  readonly layer: string;
  readonly episodes: number;
  readonly usd_per_episode: number;
}
const preview = async (change: object) => {
  const { status, body } = await served.ask('PUT', settings, change);
  expect(status).toBe(200);
  const running = body.layers.filter(({ runs }: { runs: boolean }) => runs);
  expect(running.map(({ id }: { id: string }) => id)).toEqual(
    body.cost_preview.layers.map(({ layer }: Previewed) => layer),
  );
  return body.cost_preview;
};
const available = async () => {
  const { body } = await served.ask('GET', `projects/${service.project_id}/annotation/status`);
  const there = body.layers.filter((layer: { available: boolean }) => layer.available);
  return there.map(({ layer }: { layer: string }) => layer);
};
const names = ({ layers }: { layers: readonly Previewed[] }) => layers.map(({ layer }) => layer);

test('the preview counts what a run would do and does, and no layer that nothing here runs', async () => {
  const before = await preview({ preset: 'everything' });
  const able = await available();
  expect(able.length).toBeLessThan(12);
  for (const layer of names(before)) expect(able).toContain(layer);
  const source_id = await service.source(place);
  const plan = await served.ask('POST', `projects/${service.project_id}/runs/plan`, { source_id });
  expect([...names(before)].sort()).toEqual([...plan.body.layers].sort());
  const sum = before.layers.reduce((usd: number, one: Previewed) => usd + one.usd_per_episode, 0);
  expect(before.per_episode_usd).toBeCloseTo(sum, 6);

  const started = await served.ask('POST', `projects/${service.project_id}/runs`, { source_id });
  const run = await service.ended(started.body.id);
  const done = run.layers.filter(({ status }) => status === 'succeeded').map(({ layer }) => layer as string);
  const after = await preview({ preset: 'everything' });
  expect([...names(after)].sort()).toEqual([...done].sort());
  expect(after).toMatchObject({ episodes: 20, layers: after.layers.map(() => ({ episodes: 20 })) });
}, 60_000);

test('it counts nothing that is off, on demand, or not for data like this', async () => {
  const modes = { metadata: 'in_run', segments: 'on_demand', captions: 'in_run', depth: 'in_run' };
  expect(names(await preview({ preset: 'readiness-only', modes }))).toEqual(['metadata']);
  const nothing = await preview({ preset: 'readiness-only', modes: { metadata: 'off', captions: 'off' } });
  expect(nothing).toMatchObject({ layers: [], per_episode_usd: 0, projected_usd: 0 });
});
