import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SearchQuery, searchQuerySchema } from '#contract';
import { newId, seededRandom } from '#kernel';
import { type Store, sliceRows } from '#store';
import { addEpisodes, type TestEpisode } from '#test/support/episode-rows';
import { openRunService, type RunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { openTestStore, type TestStore, testDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../bench/lerobot/generate-set.ts';
import { type Call, scopeOf } from '../call.ts';
import { createReview } from '../episodes/create-review.ts';
import { createProject } from '../projects/create-project.ts';
import { getRun } from '../runs/get-run.ts';
import { startRun } from '../runs/start-run.ts';
import { searchProject } from '../search/search-project.ts';
import { createWorkspace } from '../workspaces/create-workspace.ts';
import { createSlice } from './create-slice.ts';
import { deleteSlice } from './delete-slice.ts';
import { diffSlices } from './diff-slices.ts';
import { getSlice } from './get-slice.ts';
import { listSliceMembers } from './list-members.ts';
import { listSlices } from './list-slices.ts';
import { promoteSlice } from './promote-slice.ts';

const random = seededRandom(11);
const pick = <T>(values: readonly T[]): T => values[random.integer(0, values.length - 1)];
const many = (count: number): TestEpisode[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `take_${i}`,
    decision: pick(['accept', 'review', 'reject'] as const),
    outcome: pick(['success', 'failure', 'unknown'] as const),
    task: pick(['pick the red cube', 'fold the blue towel', "drop table '; --", null]),
    robot: pick(['so100', 'ur5', null]),
    objects: pick([[], ['cup'], ['cup', 'box']]),
    flags: pick([[], ['frames_repeated']]),
    score: pick([0.2, 0.7, 0.9, null]),
    duration_s: pick([1, 5, 20]),
    receipt: {},
  }));

/** Two numbers stand for what a descriptor makes; every fifth is of another layout, every seventh has none. */
async function describeAll(
  { database }: Store,
  tenant_id: string,
  project_id: string,
  ids: readonly string[],
) {
  for (const [i, id] of ids.entries()) {
    const angle = random.between(0, 6.28);
    const vector = i % 7 === 3 ? null : `[${Math.cos(angle)},${Math.sin(angle)}]`;
    await database.query(
      `INSERT INTO embeddings (tenant_id, descriptor, episode_id, project_id, version, layout, vector, reason)
       VALUES ($1, 'motion', $2, $3, 1, $4, $5::vector, $6)`,
      [
        tenant_id,
        id,
        project_id,
        i % 5 === 4 ? 'state 9' : 'state 2',
        vector,
        vector === null ? 'it stood still' : null,
      ],
    );
  }
}

const ask = (query: unknown): SearchQuery => searchQuerySchema.parse(query);

describe.each(testDatabases)('search on the %s database', { timeout: 60_000 }, (on) => {
  let store: TestStore;
  let call: Call;
  let project_id: string;
  let ids: string[];
  beforeAll(async () => {
    store = await openTestStore({ on });
    ({ call, project_id } = await projectOf(store));
    ids = await addEpisodes(store, call.actor.tenant_id, project_id, many(120));
    await describeAll(store, call.actor.tenant_id, project_id, ids.slice(0, 110));
  }, 60_000);
  afterAll(() => store.close());

  const search = (query: unknown, more: object = {}) =>
    searchProject(store, call, { project_id, limit: 500, ...ask(query), ...more });

  it('filters as each member says, and all together', async () => {
    const everything = (await search({})).items.map(({ episode }) => episode);
    expect(everything).toHaveLength(120);
    const kept = async (filter: object) => (await search({ filter })).items.map(({ episode }) => episode.id);
    const expected = (passes: (one: (typeof everything)[number]) => boolean) =>
      everything.filter(passes).map(({ id }) => id);
    expect(await kept({ decision: ['accept', 'review'] })).toEqual(
      expected(({ decision }) => decision !== 'reject'),
    );
    expect(await kept({ text: 'CUBE red' })).toEqual(expected(({ task }) => task === 'pick the red cube'));
    expect(await kept({ task: ["drop table '; --"] })).toEqual(
      expected(({ task }) => task?.startsWith('drop') === true),
    );
    expect(await kept({ flag: ['frames_repeated'], min_score: 0.5 })).toEqual(
      expected(({ flags, score }) => flags.length > 0 && score !== null && score >= 0.5),
    );
    expect(await kept({ robot: ['ur5'], outcome: ['failure'], max_duration_s: 5 })).toEqual(
      expected((one) => one.robot === 'ur5' && one.outcome === 'failure' && one.duration_s <= 5),
    );
    const boxes = await kept({ object: ['box'] });
    expect(boxes.length).toBeGreaterThan(0);
    expect((await kept({ object: ['cup'] })).length).toBeGreaterThan(boxes.length);
    expect(await kept({ layer: ['captions'] })).toEqual([]);
    expect(await kept({ text: "'; DROP TABLE episodes; --" })).toEqual([]);
    expect(await kept({ text: '& | ! <-> ()' })).toEqual([]);
  });

  it('ranks by likeness: never the episode itself, best first, and says why others could not be', async () => {
    const answer = await search({ rank: { by: 'like', episode_id: ids[0] } });
    expect(answer.ranked_by).toMatchObject({ id: 'motion', version: 1, exact: true });
    expect(answer.items.map(({ episode }) => episode.id)).not.toContain(ids[0]);
    const scores = answer.items.map(({ score }) => score!);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const { matched, ranked, not_ranked } = answer.coverage;
    expect(ranked).toBe(answer.items.length);
    expect(matched).toBe(119);
    expect(not_ranked.reduce((sum, { episodes }) => sum + episodes, ranked)).toBe(matched);
    expect(not_ranked.map(({ reason }) => reason).join()).toMatch(/another layout/);
    expect(not_ranked.map(({ reason }) => reason).join()).toMatch(/it stood still/);
    expect(not_ranked.map(({ reason }) => reason).join()).toMatch(/no run has described/);
    const fewer = await search({
      rank: { by: 'like', episode_id: ids[0] },
      filter: { decision: ['accept'] },
    });
    expect(fewer.items.map(({ episode }) => episode.id)).toEqual(
      answer.items.filter(({ episode }) => episode.decision === 'accept').map(({ episode }) => episode.id),
    );
    expect(fewer.coverage.not_ranked.reduce((sum, one) => sum + one.episodes, fewer.coverage.ranked)).toBe(
      fewer.coverage.matched,
    );
  });

  it('ranks by words, and counts those that have none of them', async () => {
    const answer = await search({ rank: { by: 'text', text: 'towel, or a cube: "red" & (!' } });
    const tasks = new Set(answer.items.map(({ episode }) => episode.task));
    expect(tasks).toEqual(new Set(['pick the red cube', 'fold the blue towel']));
    expect(answer.items[0].episode.task).toBe('pick the red cube');
    expect(answer.coverage.matched).toBe(120);
    expect(answer.coverage.not_ranked[0].episodes).toBe(120 - answer.coverage.ranked);
  });

  it('pages through every answer once, in one order, whatever the ranking', async () => {
    for (const rank of [null, { by: 'like', episode_id: ids[1] }, { by: 'text', text: 'cube towel' }]) {
      const whole = (await search({ rank })).items.map(({ episode }) => episode.id);
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await search({ rank }, { limit: 17, cursor });
        paged.push(...page.items.map(({ episode }) => episode.id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(paged).toEqual(whole);
    }
    const { next_cursor } = await search({}, { limit: 5 });
    await expect(search({ filter: { robot: ['ur5'] } }, { limit: 5, cursor: next_cursor })).rejects.toThrow(
      /cursor/,
    );
    await expect(search({}, { cursor: 'bm9uc2Vuc2U' })).rejects.toThrow(/cursor/);
  });

  it('gives the same hash for the same answer, and another for another', async () => {
    const query = { rank: { by: 'like', episode_id: ids[2] }, filter: { outcome: ['success'] } };
    const { response_hash } = await search(query);
    expect((await search(query)).response_hash).toBe(response_hash);
    expect((await search({ ...query, filter: {} })).response_hash).not.toBe(response_hash);
  });

  it('refuses what cannot be asked', () => {
    for (const filter of [
      { min_score: Number.NaN },
      { max_duration_s: Number.POSITIVE_INFINITY },
      { text: 'x'.repeat(1001) },
      { text: 'a\0b' },
      { task: ['\ud800'] },
      { task: Array(51).fill('a') },
      { nobody: 1 },
    ])
      expect(searchQuerySchema.safeParse({ filter }).success).toBe(false);
    const like = { by: 'like', episode_id: newId('ep') };
    expect(searchQuerySchema.safeParse({ rank: { ...like, moment: { from_s: 3, to_s: 1 } } }).success).toBe(
      false,
    );
  });

  it('says what is missing of what is compared with', async () => {
    const like = (episode_id: string, more: object = {}) =>
      search({ rank: { by: 'like', episode_id, ...more } });
    await expect(like(newId('ep'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(like(ids[115])).rejects.toMatchObject({ code: 'not_ready' });
    await expect(like(ids[3])).rejects.toThrow(/stood still/);
    await expect(like(ids[0], { descriptor: 'smell' })).rejects.toThrow(/no such descriptor/);
    await expect(like(ids[0], { moment: { from_s: 1, to_s: 2 } })).rejects.toThrow(/moments/);
  });

  it('shows nothing to another tenant, and counts nothing of it', async () => {
    const other = await projectOf(store);
    await expect(
      searchProject(store, other.call, { project_id, limit: 5, ...ask({}) }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    const foreign = {
      project_id: other.project_id,
      limit: 5,
      ...ask({ rank: { by: 'like', episode_id: ids[0] } }),
    };
    await expect(searchProject(store, other.call, foreign)).rejects.toMatchObject({ code: 'not_found' });
    const own = await searchProject(store, other.call, {
      project_id: other.project_id,
      limit: 5,
      ...ask({}),
    });
    expect(own.coverage.matched).toBe(0);
    expect(await sliceRows.lockedEpisodes(scopeOf(store, other.call), ids)).toEqual([]);
  });

  describe('slices', () => {
    it('keep what was found, in order, whatever is judged later', async () => {
      const query = ask({ rank: { by: 'like', episode_id: ids[0] }, filter: { review_decision: ['none'] } });
      const found = await search(query);
      const slice = await createSlice(store, call, { project_id, name: 'near', query, most: 30 });
      expect(slice).toMatchObject({ episodes: 30, coverage: found.coverage, query, locked: false });
      const { items } = await listSliceMembers(store, call, { project_id, slice_id: slice.id, limit: 500 });
      expect(items.map(({ episode_id }) => episode_id)).toEqual(
        found.items.slice(0, 30).map(({ episode }) => episode.id),
      );
      expect(items.map(({ score }) => score)).toEqual(found.items.slice(0, 30).map(({ score }) => score));
      await createReview(store, call, { episode_id: items[4].episode_id, decision: 'reject', note: '' });
      const after = await listSliceMembers(store, call, { project_id, slice_id: slice.id, limit: 500 });
      expect(after.items.map(({ episode_id }) => episode_id)).toEqual(
        items.map(({ episode_id }) => episode_id),
      );
      expect(after.items[4].episode?.review_decision).toBe('reject');
      const since = await diffSlices(store, call, { project_id, slice_id: slice.id, limit: 10 });
      expect(since).toMatchObject({ with: null, both: 29, judged_again: 0 });
      expect(since.only_here.episode_ids).toEqual([items[4].episode_id]);
      expect(since.only_there.episodes).toBe(1);
      const again = await createSlice(store, call, { project_id, name: 'near again', query, most: 30 });
      expect(again.response_hash).not.toBe(slice.response_hash);
      const both = await diffSlices(store, call, {
        project_id,
        slice_id: slice.id,
        with: again.id,
        limit: 10,
      });
      expect([both.both, both.only_here, both.only_there]).toEqual([
        since.both,
        since.only_here,
        since.only_there,
      ]);
      const page = await listSliceMembers(store, call, { project_id, slice_id: slice.id, limit: 20 });
      const rest = await listSliceMembers(store, call, {
        ...{ project_id, slice_id: slice.id, limit: 20 },
        cursor: page.next_cursor!,
      });
      expect([...page.items, ...rest.items].map(({ place }) => place)).toEqual([...Array(30).keys()]);
      expect((await listSlices(store, call, { project_id, limit: 50 })).items.map(({ id }) => id)).toContain(
        again.id,
      );
    });

    it('once locked are deleted by admins alone, and tell which episodes they hold', async () => {
      const slice = await createSlice(store, call, {
        project_id,
        name: 'held out',
        query: ask({ filter: { robot: ['ur5'] } }),
        most: 1000,
      });
      const key = { project_id, slice_id: slice.id };
      const scope = scopeOf(store, call);
      expect(await sliceRows.lockedEpisodes(scope, ids)).toEqual([]);
      const reviewer = callAs('reviewer', call.actor.tenant_id);
      const locked = await promoteSlice(store, reviewer, key);
      expect(locked.locked).toBe(true);
      expect(await promoteSlice(store, reviewer, key)).toEqual(locked);
      const held = await sliceRows.lockedEpisodes(scope, ids);
      expect(held).toHaveLength(slice.episodes);
      expect(new Set(held.map(({ slice_id }) => slice_id))).toEqual(new Set([slice.id]));
      await expect(deleteSlice(store, reviewer, key)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(deleteSlice(store, callAs('engineer', call.actor.tenant_id), key)).rejects.toMatchObject({
        code: 'forbidden',
      });
      await deleteSlice(store, callAs('admin', call.actor.tenant_id), key);
      await expect(getSlice(store, call, key)).rejects.toMatchObject({ code: 'not_found' });
      expect(await sliceRows.lockedEpisodes(scope, ids)).toEqual([]);
    });

    it('that are empty cannot be locked', async () => {
      const slice = await createSlice(store, call, {
        project_id,
        name: 'none',
        query: ask({ filter: { text: 'zebra' } }),
        most: 10,
      });
      expect(slice.episodes).toBe(0);
      await expect(promoteSlice(store, call, { project_id, slice_id: slice.id })).rejects.toMatchObject({
        code: 'conflict',
      });
    });
  });
});

async function projectOf(store: TestStore) {
  const call = callAs('admin');
  const { id } = await createWorkspace(store, call, { name: 'lab', use_case: 'data-assessment' });
  const project = await createProject(store, call, { workspace_id: id, name: 'arms', target_profile: 'vla' });
  return { call, project_id: project.id };
}

describe.each(testDatabases)('a run on the %s database', { timeout: 120_000 }, (on) => {
  const place = mkdtempSync(join(tmpdir(), 'assay-test-search-run-'));
  let service: RunService;
  beforeAll(async () => {
    mkdirSync(join(place, 'set'));
    await generateNumericSet(join(place, 'set'), 12);
    service = await openRunService({ on, roots: [place] });
  }, 60_000);
  afterAll(async () => {
    await service.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('describes its episodes and their moments, again in place of before', async () => {
    const { store, call, project_id } = service;
    for (let round = 0; round < 2; round++) {
      const source_id = await service.source(join(place, 'set'));
      const { id } = await startRun(store, call, { project_id, source_id });
      for (;;) {
        const { status } = await getRun(store, call, { run_id: id });
        if (status === 'succeeded') break;
        expect(['queued', 'running']).toContain(status);
        await pause(50);
      }
    }
    const list = await searchProject(store, call, { project_id, limit: 50, ...ask({ filter: {} }) });
    const [{ episode }] = list.items;
    const rank = { by: 'like', episode_id: episode.id };
    const near = await searchProject(store, call, { project_id, limit: 50, ...ask({ rank }) });
    expect(near.coverage.ranked).toBe(list.items.length - 1);
    const moment = { from_s: 0, to_s: 2 };
    const at = await searchProject(store, call, {
      project_id,
      limit: 50,
      ...ask({ rank: { ...rank, moment } }),
    });
    expect(at.ranked_by?.moment?.from_s).toBe(0);
    expect(at.items[0].moment).not.toBeNull();
    const pictures = ask({ rank: { ...rank, descriptor: 'picture' } });
    await expect(searchProject(store, call, { project_id, limit: 50, ...pictures })).rejects.toThrow(
      /no pictures/,
    );
  });
});
