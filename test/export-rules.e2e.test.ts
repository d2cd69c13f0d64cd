import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { assessFolder } from './support/assessed-project.ts';
import { bundledDetector } from './support/bundled-detector.ts';
import { joinSharedService, type SharedService } from './support/shared-service.ts';

let service: SharedService;
let project_id: string;
let project: string;
const place = mkdtempSync(join(tmpdir(), 'assay-test-export-rules-'));

beforeAll(async () => {
  service = await joinSharedService();
  const recordings = join(service.recordings, 'arms');
  await writeTeleopLeRobot(recordings, 5, () => {}, { episodes: 14, plan: { 3: ['nan', 'medium'] } });
  project_id = await assessFolder(service, recordings);
  project = `/v1/projects/${project_id}`;
}, 300_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Requests an export and cancels it if it is accepted: what counts is the answer. */
async function create(body: object) {
  const answer = await service.request('POST', `${project}/exports`, body);
  if (answer.status === 202) await cancel(answer.body);
  return answer;
}

const cancel = ({ id }: { id: string }) => service.request('POST', `${project}/exports/${id}/cancel`);

async function closeLoop(body: object) {
  const loop = `${project}/failures/${await importTaskFailure()}/loop`;
  const closed = await service.ask('POST', loop, body);
  await cancel(closed.export);
  return closed;
}

const exportCount = async () => (await service.ask('GET', `${project}/exports`)).items.length;

/** Creates an export and waits for its end. */
async function exported(body: object, at = project) {
  let made = await service.ask('POST', `${at}/exports`, body);
  while (made.status === 'queued' || made.status === 'running') {
    await wait(50);
    made = await service.ask('GET', `${at}/exports/${made.id}`);
  }
  expect(made).toMatchObject({ status: 'succeeded', error: null });
  return made;
}

/** Runs an annotation job to its end. */
async function annotate(layer: string, episode_ids: readonly string[], at = project): Promise<void> {
  const request = { layer, episode_ids, force: true };
  let job = await service.ask('POST', `${at}/annotation/jobs`, request);
  while (job.status === 'queued' || job.status === 'running') {
    await wait(50);
    job = await service.ask('GET', `${at}/annotation/jobs/${job.id}`);
  }
  expect(job.status).toBe('succeeded');
}

/** Downloads an export and unpacks it; gives its folder. */
async function unpacked({ id }: { id: string }, at = project): Promise<string> {
  const answer = await fetch(`${service.address}${at}/exports/${id}/download?as=tar`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const folder = join(place, id);
  mkdirSync(folder);
  writeFileSync(`${folder}.tar`, Buffer.from(await answer.arrayBuffer()));
  execFileSync('tar', ['-xf', `${folder}.tar`, '-C', folder]);
  return folder;
}

async function importTaskFailure(): Promise<string> {
  const { items } = await service.ask('GET', `${project}/episodes?limit=1`);
  const records = [{ id: 'first', task: items[0].task }];
  return (await service.ask('POST', `${project}/failures`, { records, name: 'evaluation' })).id;
}

describe('an export over HTTP', { timeout: 240_000 }, () => {
  test('has the format of the target profile, also in the closed loop, unless one is requested', async () => {
    await service.ask('PATCH', project, { target_profile: 'diffusion-policy' });
    expect((await create({})).body).toMatchObject({ format: 'zarr-replay-buffer', status: 'queued' });
    expect(await closeLoop({})).toMatchObject({ export: { format: 'zarr-replay-buffer' } });
    expect(await closeLoop({ format: 'mcap' })).toMatchObject({ export: { format: 'mcap' } });
    await service.ask('PATCH', project, { target_profile: 'vla' });
    expect((await create({})).body).toMatchObject({ format: 'lerobot-v3' });
    expect((await create({ format: 'webdataset' })).body).toMatchObject({ format: 'webdataset' });
  });

  test('is refused in a format that does not fit, with the reason that the formats give', async () => {
    const { workspace_id } = await service.ask('GET', project);
    const useCase = `/v1/workspaces/${workspace_id}/use-case`;
    const before = await exportCount();
    const refused = async (formats: readonly string[]) => {
      const { export_formats } = await service.ask('GET', `${project}/formats`);
      for (const format of formats) {
        const { reason } = export_formats.find(({ id }: { id: string }) => id === format);
        const { status, body } = await create({ format });
        expect([status, body.code, body.reason], format).toEqual([422, 'invalid_request', reason]);
        expect(body.detail).toContain(reason);
      }
    };
    await service.ask('PUT', `${project}/data-kind`, { kind: 'vision-asset' });
    await refused(['lerobot-v3', 'lerobot-v2.1', 'zarr-replay-buffer', 'mcap']);
    expect((await create({})).body.fitting).toEqual(['webdataset', 'coco-detection', 'image-folder']);
    await service.ask('PUT', `${project}/data-kind`, { kind: null });
    await service.ask('PUT', useCase, { use_case: 'data-assessment' });
    const { export_formats } = await service.ask('GET', `${project}/formats`);
    await refused(export_formats.map(({ id }: { id: string }) => id));
    expect((await create({})).body.advice).toContain('use case');
    await service.ask('PUT', useCase, { use_case: 'robotic-manipulation' });
    expect(await exportCount()).toBe(before);
    expect((await create({})).status).toBe(202);
  });

  test('is refused at once with every name that is wrong, in words of the API', async () => {
    const before = await exportCount();
    const messageOf = async (body: object) => {
      const answer = await create(body);
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_request']);
      expect(JSON.stringify(answer.body)).not.toMatch(/--[a-z]|assay \w+/);
      return `${answer.body.detail} ${answer.body.advice}`;
    };
    const edits = { drop: ['nothing', 'action', 'nobody'], shift: ['ghost=1'] };
    const names = await messageOf({ edits });
    for (const word of ['edits.drop', 'nothing', 'nobody', 'edits.shift', 'ghost', 'observation.state'])
      expect(names).toContain(word);
    const unsupported = await messageOf({ format: 'mcap', edits: { cut: ['holes'], trim: ['idle'] } });
    expect(unsupported).toMatch(/edits\.cut, edits\.trim are not supported/);
    expect(await messageOf({ rate_hz: 29.97 })).toContain('rate_hz 30');
    expect(await messageOf({ edits: { shift: ['action=x'] } })).toContain('signal_sync reports the lag');
    expect(await messageOf({ edits: { convert: ['observation.state[elbow]=deg:rad'] } })).toContain('elbow');
    expect(await messageOf({ edits: { shift: ['action=9999'] } })).toContain('edits.shift removes all rows');
    expect(await messageOf({ edits: { trim: ['3600..'], shift: ['action=1'] } })).toContain(
      'edits.shift, edits.trim remove all rows',
    );
    const everything = { drop: ['action', 'observation.state'] };
    expect(
      await messageOf({ format: 'image-folder', edits: { drop: ['observation.images.front'] } }),
    ).toContain('cannot store these recordings');
    expect(await exportCount()).toBe(before);
    expect((await create({ edits: everything })).status).toBe(202);
  });

  test('has results of layers only on request, and each says that a machine wrote it', async () => {
    const { items } = await service.ask('GET', `${project}/episodes?sort=name&limit=1`);
    const [{ id }] = items;
    for (const layer of ['segments', 'captions', 'dense_text']) await annotate(layer, [id]);
    const episodes = { episode_ids: [id] };
    const sampleOf = async (body: object) => {
      const folder = await unpacked(await exported({ format: 'webdataset', episodes, ...body }));
      const json = execFileSync('tar', ['-xOf', join(folder, 'shard-000000.tar'), '000000_000010.json']);
      return JSON.parse(json.toString());
    };
    const plain = await sampleOf({});
    expect(JSON.stringify(plain)).not.toMatch(/segment|caption|dense_text|machine/);
    const edit = `${project}/episodes/${id}/annotations/dense_text`;
    const both = await sampleOf({ annotations: true });
    expect([both.segment.source, both.caption.source, both.dense_text.source]).toEqual(
      Array(3).fill('machine'),
    );
    await service.ask('PUT', edit, { text: 'A person says so.' });
    expect((await sampleOf({ annotations: true })).dense_text).toEqual({
      text: 'A person says so.',
      source: 'person',
    });
    const { chosen } = await exported({ format: 'mcap', episodes });
    expect(chosen.annotations).toBeNull();
    const none = await create({ format: 'lerobot-v2.1', episodes, annotations: true });
    expect([none.status, none.body.code, none.body.detail]).toEqual([
      422,
      'invalid_request',
      'lerobot-v2.1 cannot store the layers segments, captions, dense_text',
    ]);
    expect(none.body.errors[0].pointer).toBe('/body/annotations');
  });

  test('leaves held-out episodes out by itself, as curation and the closed loop do', async () => {
    const accepted = { filter: { decision: ['accept'] } };
    const slice = await service.ask('POST', `${project}/slices`, { name: 'exam', query: accepted, most: 2 });
    const before = (await create({})).body.episodes;
    await service.ask('POST', `${project}/slices/${slice.id}/promote`);
    const { items } = await service.ask('GET', `${project}/slices/${slice.id}/members`);
    const ids: string[] = items.map(({ episode_id }: { episode_id: string }) => episode_id);

    const made = await exported({});
    expect(made.episodes).toMatchObject({ kept: before.kept - 2, dropped: before.dropped + 2 });
    expect(made.episodes.dropped_by).toContainEqual({ stage: 'held_out', episodes: 2 });
    const { dropped } = await service.ask('GET', `${project}/exports/${made.id}/lineage`);
    const held = dropped.filter(({ stage }: { stage: string }) => stage === 'held_out');
    expect(held.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(2).fill('reserved for evaluation by the locked slice exam'),
    );

    const plan = await service.ask('POST', `${project}/curation/apply`, {
      stages: [{ strategy: 'decision' }],
    });
    expect(plan.stages[0]).toMatchObject({ stage: 1, strategy: 'held_out', dropped: 2 });
    const byStage = plan.dropped.filter(({ strategy }: { strategy: string }) => strategy === 'held_out');
    expect(byStage.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    const closed = await closeLoop({});
    expect(closed.curation.plan.stages[0].strategy).toBe('held_out');
    expect(closed.export.episodes.dropped_by).toContainEqual({ stage: 'held_out', episodes: 2 });

    const named = await create({ episodes: { episode_ids: ids } });
    expect([named.status, named.body.code, named.body.held_out]).toEqual([409, 'conflict', 2]);
    const whole = await create({ episodes: { episode_ids: ids }, purpose: 'evaluation' });
    expect(whole.body.episodes).toMatchObject({ kept: 2 });
    const onlyHeld = await create({ episodes: { slice_id: slice.id } });
    expect([onlyHeld.status, onlyHeld.body.held_out]).toEqual([409, 2]);
    await service.ask('DELETE', `${project}/slices/${slice.id}`);
  });
});

const pancake = '../shared/data/video/decord/examples/flipping_a_pancake.mkv';
describe.skipIf(!existsSync(pancake))('a COCO export over HTTP (needs ../shared/data/video)', () => {
  test('holds no results of the detector, or has them in a file of their own', async () => {
    const folder = join(service.recordings, 'films');
    mkdirSync(folder);
    copyFileSync(pancake, join(folder, 'pancake.mkv'));
    const at = `/v1/projects/${await assessFolder(service, folder, 'robotic-manipulation', 'films')}`;
    await service.ask('PUT', `${at}/annotation/settings`, { models: { detection: bundledDetector } });
    const { items: films } = await service.ask('GET', `${at}/episodes`);
    await annotate('object_labels', [films[0].id], at);
    const coco = { format: 'coco-detection', episodes: { decisions: ['accept', 'review', 'reject'] } };
    const pathsOf = async (body: object) => {
      const made = await exported({ ...coco, rate_hz: 1, ...body }, at);
      const { items } = await service.ask('GET', `${at}/exports/${made.id}/files?limit=500`);
      return { made, paths: items.map(({ path }: { path: string }) => path) };
    };
    const readJson = async ({ id }: { id: string }, path: string) =>
      JSON.parse(await service.ask('GET', `${at}/exports/${id}/files/${path}`));
    const plain = await pathsOf({});
    expect(plain.paths.some((path: string) => path.startsWith('predictions/'))).toBe(false);
    const both = await pathsOf({ annotations: true });
    for (const { made } of [plain, both])
      expect(await readJson(made, 'annotations/instances_train.json')).toMatchObject({ annotations: [] });
    const found = await readJson(both.made, 'predictions/object_labels_train.json');
    expect(found.annotations.length).toBeGreaterThan(0);
    await annotate('captions', [films[0].id], at);
    const captioned = await pathsOf({ annotations: true });
    const { edits } = await readJson(captioned.made, 'assay-lineage.json');
    const dropped = edits.find(({ edit }: { edit: string }) => edit === 'drop_annotations');
    expect(dropped.layers).toContain('captions');
    expect(dropped.reason).toBe(`coco-detection cannot store the layers ${dropped.layers.join(', ')}`);
    for (const { source } of found.annotations) expect(source).toBe('object_labels');
  }, 240_000);
});
