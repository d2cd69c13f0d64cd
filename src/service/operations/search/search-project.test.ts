import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, newId, sha256 } from '#core';
import { searchQuerySchema } from '#core/api';
import { sliceRows } from '#store';
import { ask, describedProject, projectOf } from '#test/support/search/described-project';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { type Call, scopeOf } from '../call.ts';
import { searchProject } from './search-project.ts';

describe.each(serviceDatabases)('search on the %s database', { timeout: 60_000 }, (on) => {
  let store: TestStore;
  let call: Call;
  let project_id: string;
  let ids: string[];
  beforeAll(async () => {
    store = await openTestStore({ on });
    ({ call, project_id, ids } = await describedProject(store));
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
    for (const [i, tags] of [['night'], ['night', 'glare'], ['glare']].entries())
      await store.database.query('UPDATE episodes SET tags = $1 WHERE id = $2', [tags, ids[i]]);
    expect((await kept({ tags: ['night'] })).toSorted()).toEqual([ids[0], ids[1]].toSorted());
    expect((await kept({ tags: ['glare', 'night'] })).toSorted()).toEqual(ids.slice(0, 3).toSorted());
    expect(await kept({ tags: ['NIGHT'] })).toEqual([]);
    expect(await kept({ review_decision: ['reject'] })).toEqual([]);
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
    expect(not_ranked.map(({ reason }) => reason).join()).toMatch(/a different layout/);
    expect(not_ranked.map(({ reason }) => reason).join()).toMatch(/it stood still/);
    expect(not_ranked.map(({ reason }) => reason).join()).toMatch(/not indexed for search yet/);
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
    expect(answer.ranked_by).toMatchObject({
      id: 'words',
      note: expect.stringMatching(/all-minilm-l6-v2 is not installed: .*; run assay models pull/),
    });
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
    const { response_hash, ranked_by, coverage, items, query: read } = await search(query);
    const { id, version, moment } = ranked_by!;
    const result = {
      ...{ query: read, ranked_by: { id, version, moment } },
      coverage: { matched: coverage.matched, ranked: coverage.ranked },
      items: items.map(({ score, episode }) => ({
        ...{ id: episode.id, receipt_id: episode.receipt_id, score },
      })),
    };
    expect(response_hash).toBe(sha256(canonicalJson(result)));
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
    await expect(like(ids[0], { descriptor: 'smell' })).rejects.toThrow(/unknown descriptor/);
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
});
