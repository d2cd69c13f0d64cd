import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CertificationReport, OntologySummary } from '#core/api';
import { bundledDetector } from './support/bundled-detector.ts';
import { joinSharedService, type SharedService } from './support/shared-service.ts';

const original = join(import.meta.dirname, '../../shared/data/images/coco-cobot-hands/test');
const labelFile = '_annotations.coco.json';
/** Every so many pictures of the original; some of them show people and objects that the bundled detector knows. */
const step = 8;

interface CocoFile {
  readonly images: readonly { id: number; file_name: string }[];
  readonly annotations: readonly { image_id: number; category_id: number }[];
  readonly categories: readonly { id: number; name: string }[];
}

const readCoco = (text: string): CocoFile => JSON.parse(text);

function copyPictures(folder: string): number {
  const all = readCoco(readFileSync(join(original, labelFile), 'utf8'));
  const images = all.images.filter((_, at) => at % step === 0);
  const ids = new Set(images.map(({ id }) => id));
  const annotations = all.annotations.filter(({ image_id }) => ids.has(image_id));
  for (const { file_name } of images) copyFileSync(join(original, file_name), join(folder, file_name));
  writeFileSync(join(folder, labelFile), JSON.stringify({ ...all, images, annotations }));
  return images.length;
}

/** Repeats a request until its answer is no longer under way. */
async function ended<Made extends { readonly status: string }>(read: () => Promise<Made>): Promise<Made> {
  for (;;) {
    const now = await read();
    if (now.status !== 'queued' && now.status !== 'running') return now;
    await pause(100);
  }
}

const title = 'labelled pictures (needs ../shared/data/images)';
describe.skipIf(!existsSync(original))(title, { timeout: 600_000 }, () => {
  let service: SharedService;
  let own: string;
  let pictures: number;
  const ask = (method: string, path: string, body?: object) => service.ask(method, `${own}${path}`, body);
  const annotate = async (layer: string) => {
    const job = await ask('POST', '/annotation/jobs', { layer });
    return ended(() => ask('GET', `/annotation/jobs/${job.id}`));
  };
  const summary = (): Promise<OntologySummary> => ask('GET', '/ontology/summary');
  const nameClass = (body: object): Promise<OntologySummary> => ask('PUT', '/ontology/summary', body);
  const find = async (object: string): Promise<number> =>
    (await ask('POST', '/search', { filter: { object: [object] } })).coverage.matched;
  const report = (): Promise<CertificationReport> => ask('GET', '/certification/report');
  const decisionsOf = ({ metrics }: CertificationReport, id: string) =>
    metrics.find(({ metric }) => metric === id)!.decisions;
  const statusOf = async (layer: string) =>
    (await ask('GET', '/annotation/status')).layers.find((one: { layer: string }) => one.layer === layer);

  beforeAll(async () => {
    service = await joinSharedService();
    pictures = copyPictures(service.recordings);
    const workspace = await service.ask('POST', '/v1/workspaces', {
      name: 'lab',
      use_case: 'vision-datasets',
    });
    const wanted = { workspace_id: workspace.id, name: 'hands', target_profile: 'detector' };
    const project = await service.ask('POST', '/v1/projects', wanted);
    own = `/v1/projects/${project.id}`;
    await ask('PUT', '/annotation/settings', {
      modes: { object_labels: 'on_demand', captions: 'on_demand' },
      models: { detection: bundledDetector },
    });
    const source = await ask('POST', '/sources', { kind: 'folder', path: service.recordings });
    const run = await ask('POST', '/runs', { source_id: source.id });
    expect((await ended(() => service.ask('GET', `/v1/runs/${run.id}`))).status).toBe('succeeded');
  }, 600_000);

  it('without anything to caption have no captions, for a reason, and nothing is held against them', async () => {
    expect(await annotate('captions')).toMatchObject({ status: 'succeeded' });
    expect(await statusOf('captions')).toMatchObject({
      state: 'on_demand',
      covered_episodes: 0,
      not_produced_episodes: pictures,
      reason: expect.stringContaining('had no result'),
    });
    const coverage = await ask('GET', '/annotation/coverage');
    expect(coverage.layers.find(({ layer }: { layer: string }) => layer === 'captions').kinds).toMatchObject([
      { kind: 'vision-asset', covered: 0, not_produced: pictures, quality: null },
    ]);
    const { coverage: found } = await ask('POST', '/search', { filter: { layer: ['captions'] } });
    expect(found.matched).toBe(0);
    const { items } = await ask('GET', '/episodes?limit=1');
    const { machine } = await ask('GET', `/episodes/${items[0].id}/annotations/captions`);
    expect(machine.not_produced).toMatch(/no gripper event, no pause and no detected object/);
    for (const metric of ['language.caption_coverage', 'language.caption_boundaries'] as const)
      expect(decisionsOf(await report(), metric)[0]).toMatchObject({
        verdict: 'not_assessable',
        reason: expect.stringContaining('not produced: no gripper event'),
      });
  });

  it('with found objects are found by class, which its origin tells apart from people’s labels', async () => {
    expect(await find('person')).toBe(0);
    expect(await annotate('object_labels')).toMatchObject({ status: 'succeeded' });
    const { classes, limits } = await summary();
    expect(classes).toContainEqual(
      expect.objectContaining({ name: 'thumbs_up', found_by: ['recording'], episodes: pictures }),
    );
    const person = classes.find(({ name }) => name === 'person');
    expect(person).toMatchObject({ found_by: ['object_labels'], status: 'found_not_declared' });
    expect(await find('person')).toBe(person?.episodes);
    expect(limits.join()).not.toContain('not included');
  });

  it('are captioned where objects are found; such captions of still pictures are judged only if required', async () => {
    expect(await annotate('captions')).toMatchObject({ status: 'succeeded' });
    const { state, reason, covered_episodes, not_produced_episodes } = await statusOf('captions');
    expect([state, reason]).toEqual(['ran', expect.not.stringContaining('queue a job')]);
    expect(covered_episodes).toBeGreaterThan(0);
    expect(covered_episodes + not_produced_episodes).toBe(pictures);
    const made = await report();
    for (const metric of ['language.caption_coverage', 'language.caption_boundaries'] as const)
      expect(new Set(decisionsOf(made, metric).map(({ verdict }) => verdict))).toEqual(
        new Set(['not_assessable']),
      );
    // Labels by people count whatever the policy requires.
    expect(decisionsOf(made, 'annotation.coverage')[0]).toMatchObject({ observed: 1 });
  });

  it('refuses to rename what is no class, naming it', async () => {
    const wrong = {
      renames: { unicorn: 'horse' },
      merges: [{ classes: ['person', 'dragon'], into: 'horse' }],
    };
    const refused = await service.request('PUT', `${own}/ontology/summary`, wrong);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_request',
        errors: [{ pointer: '/body/renames/unicorn' }, { pointer: '/body/merges/0/classes/1' }],
      },
    });
    expect((await summary()).renames).toEqual({});
    expect((await nameClass({ declare: ['horse'], renames: { horse: 'pony' } })).renames).toEqual({
      horse: 'pony',
    });
    await nameClass({ renames: { horse: null }, undeclare: ['horse'] });
  });

  it('are found, saved, balanced, drawn and exported by the names that people give to classes', async () => {
    const { items } = await ask('POST', '/search', { filter: { object: ['person'] } });
    const shown = items[0].episode.id;
    const drawn = () => service.request('GET', `${own}/episodes/${shown}/overlay?layer=object_labels`);
    const before = (await drawn()).headers.get('etag');
    const { classes } = await nameClass({
      renames: { person: 'worker' },
      merges: [{ classes: ['thumbs_up'], into: 'worker' }],
    });
    expect(classes[0]).toMatchObject({
      name: 'worker',
      episodes: pictures,
      found_as: ['person', 'thumbs_up'],
      found_by: ['object_labels', 'recording'],
    });
    expect([await find('person'), await find('thumbs_up'), await find('worker')]).toEqual([0, 0, pictures]);
    const slice = await ask('POST', '/slices', {
      name: 'workers',
      query: { filter: { object: ['worker'] } },
    });
    expect(slice.episodes).toBe(pictures);
    const plan = { stages: [{ strategy: 'balance', parameters: { by: 'object', ratio: 0.1 } }] };
    const { dropped } = await ask('POST', '/curation/preview', plan);
    expect(dropped.map(({ reason }: { reason: string }) => reason).join()).toContain('object worker has');
    const after = await drawn();
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(before);
    const { categories, edits } = await exportCoco();
    expect(categories).toContain('worker');
    expect(categories.filter((name) => name === 'person' || name === 'thumbs_up')).toEqual([]);
    expect(edits).toContainEqual({
      edit: 'rename_classes',
      renames: { person: 'worker', thumbs_up: 'worker' },
    });
  });

  async function readJson(path: string) {
    const body = await ask('GET', path);
    return typeof body === 'string' ? JSON.parse(body) : body;
  }

  async function exportCoco() {
    const decisions = ['accept', 'review', 'reject'];
    const body = { format: 'coco-detection', annotations: true, episodes: { decisions } };
    const { id } = await ask('POST', '/exports', body);
    const made = await ended(() => ask('GET', `/exports/${id}`));
    expect(made).toMatchObject({ status: 'succeeded', error: null });
    const { items } = await ask('GET', `/exports/${id}/files?limit=500`);
    const paths: string[] = items.map(({ path }: { path: string }) => path);
    const files: CocoFile[] = [];
    for (const path of paths.filter((name) => /^(annotations|predictions)\/.*\.json$/.test(name)))
      files.push(await readJson(`/exports/${id}/files/${path}`));
    const { edits } = await readJson(`/exports/${id}/lineage`);
    return { categories: files.flatMap((file) => (file.categories ?? []).map(({ name }) => name)), edits };
  }
});
