import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { encodeVideo, x264 } from './support/encode-video.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { type ServedRuns, serveRuns } from './support/served-runs.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-estimates-'));
const [numbers, films] = [join(place, 'numbers'), join(place, 'films')];
const film = { width: 64, height: 48, frames: 60, rate_hz: 30 };
let service: RunService;
let served: ServedRuns;
let project: string;
beforeAll(async () => {
  await generateNumericSet(numbers, 20);
  mkdirSync(films);
  const pictures = Array.from({ length: film.frames }, (_, at) =>
    new Uint8Array((film.width * film.height * 3) / 2).fill(2 * at),
  );
  await encodeVideo(join(films, 'a.mp4'), film.width, film.height, pictures, {
    ...x264,
    rate_hz: film.rate_hz,
  });
  service = await openRunService({ roots: [place] });
  served = await serveRuns(service);
  project = `projects/${service.project_id}`;
}, 120_000);
afterAll(async () => {
  await served?.close();
  await service?.close();
  rmSync(place, { recursive: true, force: true });
});

const ask = async (method: string, path: string, body?: object) => {
  const answer = await served.ask(method, `${project}/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const assess = async (source_id: string) => {
  const { id } = await ask('POST', 'runs', { source_id });
  return service.ended(id);
};
/** Runs a layer and returns the ended job. */
const annotate = async (layer: string) => {
  const { id } = await ask('POST', 'annotation/jobs', { layer, force: true });
  for (;;) {
    const job = await ask('GET', `annotation/jobs/${id}`);
    if (['succeeded', 'partial', 'failed'].includes(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
const partOf = (plan: { estimate: { parts: { work: string }[] } }, work: string) =>
  plan.estimate.parts.find((part) => part.work === work);

test('estimates of jobs, runs and settings learn from what was measured, and tell their basis and range', async () => {
  await ask('PUT', 'annotation/settings', {
    preset: 'readiness-only',
    modes: { captions: 'off', metadata: 'off', segments: 'in_run' },
  });
  const source_id = await service.source(numbers);
  const firstPlan = await ask('POST', 'runs/plan', { source_id });
  expect(partOf(firstPlan, 'readiness')).toMatchObject({ basis: 'planned', samples: 0, device: 'cpu' });
  const run = await assess(source_id);
  const secondPlan = await ask('POST', 'runs/plan', { source_id });
  const readiness_s = run.layers.reduce((left, { compute_s }) => left - compute_s, run.compute_s);
  expect(partOf(secondPlan, 'readiness')).toMatchObject({ basis: 'measured', samples: 1 });
  expect(partOf(secondPlan, 'readiness')).toMatchObject({ compute_s: expect.closeTo(readiness_s, 2) });
  expect(partOf(secondPlan, 'segments')).toMatchObject({ basis: 'measured', samples: 1 });

  const job = await annotate('segments');
  expect(job).toMatchObject({ status: 'succeeded', estimate: { basis: 'measured', device: 'cpu' } });
  const { estimate } = await ask('POST', 'annotation/preview', { layer: 'segments', force: true });
  expect(estimate.compute_s).toBeCloseTo(job.compute_s, 2);
  expect(estimate.low_s).toBeLessThan(estimate.compute_s);
  expect(estimate.high_s).toBeGreaterThan(estimate.compute_s);
  const { cost_preview } = await ask('GET', 'annotation/settings');
  expect(cost_preview.layers).toMatchObject([
    { layer: 'segments', basis: 'measured', estimate: { basis: 'measured', samples: 1 } },
  ]);
});

test('the plan of a run counts its layers on video files that nothing was measured of yet', async () => {
  await ask('PUT', 'annotation/settings', { modes: { optical_flow: 'in_run' } });
  const source_id = await service.source(films);
  const plan = await ask('POST', 'runs/plan', { source_id });
  // Two pictures a second of a clip of two seconds at 0.1 s each, and 60 pictures to decode, taken for 0.3 megapixels each.
  const planned_s = 4 * 0.1 + 60 * 0.3 * 0.004;
  expect(partOf(plan, 'optical_flow')).toMatchObject({
    basis: 'planned',
    compute_s: expect.closeTo(planned_s, 6),
  });
});
