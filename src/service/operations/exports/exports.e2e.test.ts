import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { sha256 } from '#core';
import type { Export } from '#core/api';
import { exportDataset } from '#engine/local/export';
import { temporaryFolder } from '#test/support/lerobot-set';
import { json, jsonChannel, mcapBytes } from '#test/support/mcap-files';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../../bench/lerobot/generate-set.ts';
import {
  applyCuration,
  type Call,
  cancelExport,
  createExport,
  createReview,
  createSlice,
  deleteExport,
  deleteSlice,
  deleteSource,
  getBudget,
  getCosts,
  getExport,
  getExportFile,
  getExportLineage,
  listEpisodes,
  listExportFiles,
  listExports,
  listSliceMembers,
  promoteSlice,
  sealExport,
  setBudget,
  startRun,
} from '../index.ts';

const usual = { format: 'lerobot-v3', episodes: { decisions: ['accept'] }, purpose: 'training' } as const;
let recordings: string;

beforeAll(async () => {
  recordings = await temporaryFolder();
  await writeTeleopLeRobot(join(recordings, 'set'), 3, () => {}, {
    episodes: 6,
    plan: { 2: ['nan', 'medium'], 4: ['jump', 'medium'] },
  });
}, 120_000);

describe.each(serviceDatabases)('an export over the %s database', (on) => {
  let service: JoinedService;
  let source_id: string;

  beforeAll(async () => {
    service = await joinRunService({ on, roots: [recordings], prices: flat });
    source_id = await service.source(join(recordings, 'set'));
    await judge(service, source_id);
    await service.allowExports();
  }, 120_000);

  const create = (more: object = {}) =>
    createExport(service.store, service.call, { project_id: service.project_id, ...usual, ...more });
  const path = ({ id }: Export) => ({ project_id: service.project_id, export_id: id });
  const as = (role: Parameters<typeof callAs>[0]): Call => callAs(role, service.call.actor.tenant_id);
  const ended = (made: Export) => endOf(service, made);
  const toldBy = async (made: Export) => {
    const { json } = await getExportLineage(service.store, service.call, path(made));
    return JSON.parse(Buffer.from(json).toString());
  };

  it('holds the files that a local one holds, and charges what it took', async () => {
    const made = await ended(await create());
    expect(made).toMatchObject({ status: 'succeeded', error: null, reserved_usd: 0 });
    const out = join(await temporaryFolder(), 'local');
    const { lineage } = await exportDataset(join(recordings, 'set'), out, {});
    expect(made.episodes).toMatchObject({
      kept: lineage?.kept.length,
      dropped: lineage?.dropped.length,
      written: lineage?.kept.length,
    });
    const { items } = await listExportFiles(service.store, service.call, { ...path(made), limit: 500 });
    const own = items.filter(({ path: file }) => file !== 'assay-lineage.json');
    expect(own).toEqual(lineage?.files);
    const { json, seal } = await getExportLineage(service.store, service.call, path(made));
    const told = JSON.parse(Buffer.from(json).toString());
    expect([told.seal, told.source.name]).toEqual([made.seal, 'set']);
    expect(seal).toBe(made.seal);
    expect(told.kept).toEqual(lineage?.kept);
    const costs = await getCosts(service.store, as('admin'), { group_by: 'layer' });
    expect(costs.items.find(({ key }) => key === 'export')?.amount_usd).toBeCloseTo(made.measured_usd, 5);
  });

  it('of the same episodes has the same seal, two at once', async () => {
    const both = await Promise.all([create(), create()]);
    const seals = await Promise.all(both.map(async (one) => (await ended(one)).seal));
    expect(seals[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(seals[1]).toBe(seals[0]);
    const { items } = await listExports(service.store, service.call, {
      project_id: service.project_id,
      limit: 2,
    });
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(both.map(({ id }) => id)));
  });

  it('takes named episodes whatever their decision, and a person’s word before the machine’s', async () => {
    const { items } = await listEpisodes(service.store, service.call, {
      project_id: service.project_id,
      sort: 'name',
      limit: 50,
    });
    const bad = items.find(({ decision }) => decision !== 'accept');
    const good = items.find(({ decision }) => decision === 'accept');
    const named = await create({ episodes: { decisions: ['accept'], episode_ids: [bad?.id, good?.id] } });
    expect(named.episodes).toMatchObject({ kept: 2, dropped: items.length - 2 });
    const less = { decisions: ['accept'], episode_ids: [bad?.id, good?.id], without: [bad?.id] };
    expect((await create({ episodes: less })).episodes.kept).toBe(1);
    const before = (await create()).episodes.kept;
    const word = { episode_id: String(good?.id), decision: 'reject', note: 'blurred' } as const;
    await createReview(service.store, as('reviewer'), word);
    expect((await create()).episodes.kept).toBe(before - 1);
    await createReview(service.store, as('reviewer'), { ...word, decision: 'accept' });
    const absent = create({
      episodes: {
        decisions: ['accept'],
        episode_ids: [`${bad?.id.slice(0, -1)}${bad?.id.endsWith('0') ? 1 : 0}`],
      },
    });
    await expect(absent).rejects.toMatchObject({ code: 'not_found' });
    const none = { decisions: ['accept'], without: items.map(({ id }) => id) };
    await expect(create({ episodes: none })).rejects.toMatchObject({ code: 'not_ready' });
  });

  it('is sealed by a reviewer; then its source stays, and only an admin deletes it', async () => {
    const made = await ended(await create());
    await expect(sealExport(service.store, as('viewer'), path(made))).rejects.toMatchObject({
      code: 'forbidden',
    });
    const sealed = await sealExport(service.store, as('reviewer'), path(made));
    expect(sealed).toMatchObject({ status: 'sealed', seal: made.seal });
    expect(await sealExport(service.store, as('reviewer'), path(made))).toEqual(sealed);
    const taken = deleteSource(service.store, service.call, { source_id });
    await expect(taken).rejects.toMatchObject({ code: 'conflict', details: { export_id: made.id } });
    await expect(cancelExport(service.store, service.call, path(made))).rejects.toMatchObject({
      code: 'conflict',
    });
    const gone = deleteExport(service.store, service.call, path(made));
    await expect(gone).rejects.toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    await deleteExport(service.store, as('admin'), path(made));
    const asked = getExport(service.store, service.call, path(made));
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
    expect(blobsOf(service, made)).toEqual([]);
  });

  it('takes the members of a slice, and none that is locked for evaluation', async () => {
    const { store, call, project_id } = service;
    const slice = await createSlice(store, as('reviewer'), {
      project_id,
      name: 'held out',
      query: { filter: { decision: ['accept'] }, rank: null },
      most: 2,
    });
    const { items } = await listSliceMembers(store, call, { project_id, slice_id: slice.id, limit: 50 });
    const sliced = { episodes: { decisions: ['accept', 'review', 'reject'], slice_id: slice.id } } as const;
    const made = await ended(await create(sliced));
    expect(made).toMatchObject({ episodes: { kept: items.length }, chosen: { slice_id: slice.id } });
    await promoteSlice(store, as('reviewer'), { project_id, slice_id: slice.id });
    const again = create(sliced);
    await expect(again).rejects.toMatchObject({ code: 'conflict', details: { held_out: items.length } });
    // Held-out episodes that the request does not select have no influence.
    const { items: rest } = await listEpisodes(store, call, { project_id, sort: 'name', limit: 50 });
    const held = new Set(items.map(({ episode_id }) => episode_id));
    const other = rest.find(({ id, decision }) => decision === 'accept' && !held.has(id));
    const named = await create({ episodes: { decisions: ['accept'], episode_ids: [other?.id] } });
    expect(named.episodes.dropped_by).toEqual([{ stage: 'episode_ids', episodes: rest.length - 1 }]);
    const unheld = rest.map(({ id }) => id).filter((id) => !held.has(id));
    const none = create({ episodes: { decisions: ['reject'], without: unheld } });
    await expect(none).rejects.toMatchObject({ code: 'not_ready', details: { dropped: rest.length } });
    const plan = await applyCuration(store, call, {
      ...{ project_id, seed: 1 },
      stages: [{ strategy: 'random', parameters: { keep: 0.5 } }],
    });
    const curated = await create({
      episodes: { ...sliced.episodes, slice_id: undefined, curation_id: plan.id },
    });
    expect(curated.episodes.dropped_by).toContainEqual({ stage: 'held_out', episodes: held.size });
    const sealed = sealExport(store, as('reviewer'), path(made));
    await expect(sealed).rejects.toMatchObject({ code: 'conflict' });
    expect((await create({ ...sliced, purpose: 'evaluation' })).purpose).toBe('evaluation');
    await deleteSlice(store, as('admin'), { project_id, slice_id: slice.id });
    const gone = create(sliced);
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
    expect((await sealExport(store, as('reviewer'), path(made))).status).toBe('sealed');
    await deleteExport(store, as('admin'), path(made));
  });

  it('takes what a curation plan has kept, with its reasons', async () => {
    const { store, call, project_id } = service;
    const plan = await applyCuration(store, call, {
      ...{ project_id, seed: 1 },
      stages: [{ strategy: 'random', parameters: { keep: 0.5 } }],
    });
    const all = ['accept', 'review', 'reject'] as const;
    const made = await ended(await create({ episodes: { decisions: all, curation_id: plan.id } }));
    expect(made.episodes.kept).toBe(plan.kept.length);
    const { json } = await getExportLineage(store, call, path(made));
    const { dropped } = JSON.parse(Buffer.from(json).toString());
    for (const { reason } of dropped) expect(reason).toMatch(/^curation, stage 1 \(random\): /);
    const none = create({ episodes: { decisions: all, curation_id: `${plan.id.slice(0, -4)}0000` } });
    await expect(none).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is edited as a local one is, trimmed by its plan, and refused what cannot be done', async () => {
    const { store, call, project_id } = service;
    const edits = { drop: ['action'], trim: ['0.5..2'], split: ['train=0.5', 'val=0.5'] };
    const made = await ended(await create({ edits }));
    expect(made).toMatchObject({ status: 'succeeded', error: null, chosen: { edits } });
    const out = join(await temporaryFolder(), 'local');
    const { lineage } = await exportDataset(join(recordings, 'set'), out, { edits });
    expect(await toldBy(made)).toMatchObject({
      edits: lineage?.edits,
      kept: lineage?.kept,
      files: lineage?.files,
    });
    const plan = await applyCuration(store, call, {
      ...{ project_id, seed: 1 },
      stages: [{ strategy: 'idle_trim', parameters: { least_s: 0.1, margin_s: 0 } }],
    });
    expect(Object.keys(plan.trims).length).toBeGreaterThan(0);
    const trimmed = await ended(await create({ episodes: { decisions: ['accept'], curation_id: plan.id } }));
    const told = await toldBy(trimmed);
    const parts = told.kept.filter(({ rows }: { rows?: object }) => rows !== undefined);
    expect(parts.length).toBeGreaterThan(0);
    expect(told.edits).toContainEqual({ edit: 'trim', to: 'plan', episodes: parts.length });
    for (const [more, pointer] of [
      [{ edits: { trim: ['rest'] } }, 'edits/trim'],
      [{ edits: { trim: ['900..'] } }, 'edits/trim'],
      [{ format: 'mcap', edits: { cut: ['holes'] } }, 'edits/cut'],
      [{ edits: { drop: ['nothing'] } }, 'edits/drop'],
      [{ rate_hz: 29.97 }, 'rate_hz'],
      [{ format: 'mcap', episodes: { decisions: ['accept'], curation_id: plan.id } }, 'episodes/curation_id'],
      [{ format: 'image-folder', edits: { drop: ['observation.images.front'] } }, 'format'],
    ] as const)
      await expect(create(more)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { errors: [{ pointer: `/body/${pointer}` }] },
      });
  });

  it('is refused where the budget has no room for it', async () => {
    const budget = await getBudget(service.store, as('viewer'));
    await setBudget(service.store, as('admin'), { cap_usd: budget.spent_usd + budget.reserved_usd });
    await expect(create()).rejects.toMatchObject({ code: 'budget_exceeded' });
    await setBudget(service.store, as('admin'), { cap_usd: null });
  });

  it('reads a file from any place on', async () => {
    const made = await ended(await create());
    const { items } = await listExportFiles(service.store, service.call, { ...path(made), limit: 500 });
    for (const { path: file, bytes, sha256: hash } of items) {
      const { body } = await getExportFile(service.store, service.call, { ...path(made), file });
      expect(body.bytes).toBe(bytes);
      expect(sha256(await read(body.open(0, bytes)))).toBe(hash);
      expect((await read(body.open(bytes - 3, bytes))).length).toBe(3);
    }
    const absent = getExportFile(service.store, service.call, { ...path(made), file: '../index.json' });
    await expect(absent).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an export', () => {
  it('of a LeRobot copy drops a feature that only its metadata declares', async () => {
    const place = await temporaryFolder();
    await generateNumericSet(place, 2);
    const file = join(place, 'meta/info.json');
    const info = JSON.parse(readFileSync(file, 'utf8'));
    info.features.note = { dtype: 'string', shape: [1], names: null };
    writeFileSync(file, JSON.stringify(info));
    const service = await joinRunService({ roots: [place], prices: flat });
    await judge(service, await service.source(place));
    await service.allowExports();
    const { store, call, project_id } = service;
    const episodes = { decisions: ['accept', 'review', 'reject'] } as const;
    const wanted = { project_id, ...usual, episodes, edits: { drop: ['note'] } };
    expect(await endOf(service, await createExport(store, call, wanted))).toMatchObject({
      status: 'succeeded',
    });
    const wrong = createExport(store, call, { ...wanted, edits: { drop: ['notes'] } });
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_request',
      advice: expect.stringContaining('note'),
    });
  }, 120_000);

  it('is refused for streams only if no chosen episode has them, and never for lost numbers', async () => {
    const place = await temporaryFolder();
    const log = (topics: readonly string[]) =>
      mcapBytes({
        channels: topics.map((topic) => jsonChannel(topic)),
        messages: Array.from({ length: 40 * topics.length }, (_, at) => ({
          channel: at % topics.length,
          log_ns: BigInt(at) * 10_000_000n,
          data: json({ position: [Math.sin(at / 7), at / 9] }),
        })),
      });
    for (let at = 0; at < 60; at++)
      writeFileSync(
        join(place, `log_${at}.mcap`),
        await log(at === 33 ? ['/joint_states', '/extra'] : ['/joint_states']),
      );
    const service = await joinRunService({ roots: [place], prices: flat });
    await judge(service, await service.source(place));
    await service.allowExports();
    const { store, call, project_id } = service;
    const all = ['accept', 'review', 'reject'] as const;
    const make = (edits: Readonly<Record<string, readonly string[]>>) =>
      createExport(store, call, {
        ...{ project_id, format: 'webdataset', purpose: 'training', edits, episodes: { decisions: all } },
      });
    expect((await make({ drop: ['/extra'] })).episodes.kept).toBe(60);
    await expect(make({ drop: ['/nothing'] })).rejects.toMatchObject({ code: 'invalid_request' });
    const convert = ['/joint_states[ghost]=deg:rad'];
    await expect(make({ convert })).rejects.toMatchObject({ message: expect.stringContaining('ghost') });
    const { rows } = await store.database.query(
      'SELECT DISTINCT shard_blob FROM episodes WHERE project_id = $1',
      [project_id],
    );
    await store.blobs.delete(rows.map(({ shard_blob }) => String(shard_blob)));
    expect((await make({ convert })).status).toBe('queued');
  }, 120_000);

  it('under way is cancelled or deleted, and nothing of it stays', async () => {
    const place = await temporaryFolder();
    await generateNumericSet(place, 300);
    const service = await joinRunService({ roots: [place], prices: flat });
    await judge(service, await service.source(place));
    await service.allowExports();
    const { store, call, project_id } = service;
    const all = { decisions: ['accept', 'review', 'reject'] } as const;
    const begin = () => createExport(store, call, { project_id, ...usual, episodes: all });
    for (const end of [cancelExport, deleteExport]) {
      const made = await begin();
      const own = { project_id, export_id: made.id };
      for (let now = made; now.status === 'queued'; now = await getExport(store, call, own)) await soon();
      await end(store, call, own);
      if (end === cancelExport) expect((await getExport(store, call, own)).status).toBe('cancelled');
      else await expect(getExport(store, call, own)).rejects.toMatchObject({ code: 'not_found' });
      expect((await getBudget(store, call)).reserved_usd).toBe(0);
      while (scratchOf(service).length > 0) await soon();
      expect(blobsOf(service, made)).toEqual([]);
    }
  }, 120_000);

  it('of a recording that has changed since fails and names the file', async () => {
    const place = join(await temporaryFolder(), 'set');
    mkdirSync(place);
    cpSync(join(recordings, 'set'), place, { recursive: true });
    const service = await joinRunService({ roots: [place] });
    await judge(service, await service.source(place));
    await service.allowExports();
    const file = readdirSync(place, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.mp4'),
    );
    appendFileSync(join(place, String(file)), 'more');
    const made = await createExport(service.store, service.call, {
      project_id: service.project_id,
      ...usual,
    });
    const failed = await endOf(service, made);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'not_ready', path: file } });
    expect(blobsOf(service, made)).toEqual([]);
  }, 120_000);
});

const flat = { compute_usd_per_s: 0.01, devices: {}, layers: {}, models: {} };
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

async function judge(service: JoinedService, source_id: string): Promise<void> {
  const { store, call, project_id } = service;
  const { id } = await startRun(store, call, { project_id, source_id });
  expect(await service.ended(id)).toMatchObject({ status: 'succeeded' });
}

async function endOf({ store, call, project_id }: JoinedService, made: Export): Promise<Export> {
  for (let now = made; ; now = await getExport(store, call, { project_id, export_id: made.id })) {
    if (now.status !== 'queued' && now.status !== 'running') return now;
    await soon();
  }
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(folder, name)).isFile(),
    );
  } catch {
    return [];
  }
}

const blobsOf = ({ store, call }: JoinedService, { id }: Export): string[] =>
  filesBelow(join(store.data_folder, 'blobs', call.actor.tenant_id, id));

const scratchOf = ({ store }: JoinedService): string[] => filesBelow(join(store.data_folder, 'scratch'));

async function read(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
