import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RgbdFrame, rgbdMcap } from '#test/support/rgbd-mcap';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { serviceDatabases } from '#test/support/service-store';
import { writeTinyRecordings } from '#test/support/tiny-recordings';
import {
  annotateEpisode,
  enqueueJob,
  getAnnotationStatus,
  getEpisodeAnnotation,
  getJob,
  getRunReport,
  listEpisodes,
  setAnnotationSettings,
  startRun,
} from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-recorded-depth-'));
const [withDepth, without] = [join(place, 'with'), join(place, 'without')];
const [width, height] = [64, 48];
const length = width * height;
const frames = Array.from(
  { length: 4 },
  (_, at): RgbdFrame => ({
    time_s: at / 2,
    rgb: new Uint8Array(3 * length).fill(40 + 40 * at),
    depth: Uint16Array.from({ length }, (_, i) => 500 + i + at),
  }),
);

beforeAll(async () => {
  mkdirSync(withDepth);
  const k = [60, 0, 32, 0, 60, 24, 0, 0, 1];
  writeFileSync(join(withDepth, 'camera.mcap'), await rgbdMcap([width, height], k, frames));
  await writeTinyRecordings(without);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(serviceDatabases)('depth without a model, on the %s database', (on) => {
  let service: JoinedService;
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [place] });
  }, 120_000);

  const run = async (folder: string) => {
    const { store, call, project_id } = service;
    const source_id = await service.source(folder);
    return service.ended((await startRun(store, call, { project_id, source_id })).id);
  };
  const depthState = async () => {
    const { store, call, project_id } = service;
    const { layers } = await getAnnotationStatus(store, call, { project_id });
    return layers.find(({ layer }) => layer === 'depth');
  };
  const enqueue = () =>
    enqueueJob(service.store, service.call, {
      project_id: service.project_id,
      layer: 'depth',
      force: false,
    });

  it('is refused where no episode was recorded with a depth camera', { timeout: 300_000 }, async () => {
    await run(without);
    await expect(enqueue()).rejects.toMatchObject({ code: 'layer_unavailable' });
    expect(await depthState()).toMatchObject({ available: false });
  });

  it('passes what was recorded, and tells of each other episode why not', { timeout: 300_000 }, async () => {
    const { store, call, project_id } = service;
    await run(withDepth);
    expect(await depthState()).toMatchObject({ available: true, unavailable_reason: null });
    const { job } = await enqueue();
    expect(job.model).toBeNull();
    for (;;) {
      const { status, episodes, devices, device_note, failures } = await getJob(store, call, {
        ...{ project_id, job_id: job.id },
      });
      if (status === 'queued' || status === 'running') {
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      expect({ status, done: episodes.done }).toEqual({ status: 'partial', done: 1 });
      expect(new Set(failures.map(({ error }) => error.code))).toEqual(new Set(['layer_unavailable']));
      expect(failures[0].error.message).toMatch(/no recorded depth, and no depth model/);
      expect(devices.map(({ device }) => device)).toEqual(['cpu']);
      expect(device_note).toBeNull();
      break;
    }
    const { items } = await listEpisodes(store, call, { project_id, limit: 50, sort: 'name' });
    const recorded = items.filter(({ format }) => format === 'mcap');
    expect(recorded).toHaveLength(1);
    const told = await getEpisodeAnnotation(store, call, {
      ...{ project_id, episode_id: recorded[0].id, layer: 'depth' },
    });
    expect(told.machine).toMatchObject({
      device: 'cpu',
      artifact: { source: 'recorded', model: null, cameras: [{ unit: 'm', kind: 'recorded' }] },
    });
    const other = items.find(({ format }) => format !== 'mcap')!;
    const one = { project_id, episode_id: other.id, layer: 'depth', force: true } as const;
    await expect(
      annotateEpisode(store, call, one, { signal: new AbortController().signal }),
    ).rejects.toMatchObject({ code: 'layer_unavailable' });
  });

  it('is made within a run, whose report shows it over the pictures', { timeout: 300_000 }, async () => {
    const { store, call, project_id } = service;
    await setAnnotationSettings(store, call, { project_id, modes: { depth: 'in_run', metadata: 'off' } });
    const { id: run_id, layers } = await run(withDepth);
    expect(layers.find(({ layer }) => layer === 'depth')).toMatchObject({ status: 'succeeded' });
    const file = 'data/annotations-0.js';
    const signal = new AbortController().signal;
    const { bytes } = await getRunReport(store, call, { run_id, file }, signal);
    const packed = /\['([^']+)'/.exec(Buffer.from(bytes).toString())![1];
    const { overlays } = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString());
    const drawn: { layer: string; svg: string }[] = overlays.flat(2);
    expect(new Set(drawn.map(({ layer }) => layer))).toEqual(new Set(['depth']));
    for (const { svg } of drawn) expect(svg).toMatch(/^<svg [^>]+><image /);
  });
});
