import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#core';
import { tables } from '#store';
import { addEpisodes, type TestEpisode } from '#test/support/episode-rows';
import { ask, projectOf } from '#test/support/search/described-project';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import type { Call } from '../call.ts';
import { compareEpisodes } from './compare-episodes.ts';
import { createSlice } from './manage-slices.ts';

/** As a run leaves it: the facts of the row are those of the receipt. */
function judged(name: string, facts: { decision: 'accept' | 'review'; flags: string[] }): TestEpisode {
  const { decision, flags } = facts;
  const [task, duration_s, score] = ['wipe', 10, 0.9];
  const outcome = { value: 'unknown' };
  const episode = { duration_s, robot: null, tasks: [task], outcome };
  const receipt = { episode, decision, score, flags: flags.map((code) => ({ code })) };
  return { name, task, duration_s, score, decision, flags, receipt };
}

describe.each(serviceDatabases)('a comparison on the %s database', { timeout: 200_000 }, (on) => {
  let store: TestStore;
  let call: Call;
  let project_id: string;
  let ids: string[];
  beforeAll(async () => {
    store = await openTestStore({ on });
    ({ call, project_id } = await projectOf(store));
    ids = await addEpisodes(store, call.actor.tenant_id, project_id, [
      judged('a', { decision: 'accept', flags: [] }),
      judged('b', { decision: 'review', flags: ['signal_jump'] }),
      judged('c', { decision: 'accept', flags: ['camera_lags', 'camera_lags'] }),
    ]);
  }, 200_000);
  afterAll(() => store.close());

  const slice = async (name: string, filter: object) =>
    (await createSlice(store, call, { project_id, name, query: ask({ filter }), most: 1000 })).id;
  const compare = (one: string, other: string, by = call) =>
    compareEpisodes(store, by, { project_id, one: { slice_id: one }, other: { slice_id: other } });

  /** Another receipt for an episode, as a later run seals it. */
  async function judgeAgain(id: string, change: Partial<typeof tables.episodes.$inferInsert>) {
    const receipt_id = newId('rcp');
    const { sql } = store.database;
    const run_id = newId('run');
    await sql.insert(tables.receipts).values({
      ...{
        tenant_id: call.actor.tenant_id,
        id: receipt_id,
        episode_id: id,
        run_id,
        content_hash: receipt_id,
      },
      ...{ settings_hash: '', pack_blob: 'none', offset: 0, length: 0, created_at: new Date() },
    });
    await sql
      .update(tables.episodes)
      .set({ ...change, receipt_id, run_id })
      .where(and(eq(tables.episodes.tenant_id, call.actor.tenant_id), eq(tables.episodes.id, id)));
  }

  it('counts both sides as they were judged then, and names what changed, decisions first', async () => {
    const before = await slice('before', {});
    await judgeAgain(ids[1], { decision: 'reject', flags: ['camera_black'], duration_s: 30, score: null });
    await judgeAgain(ids[0], { flags: ['camera_black'] });
    const after = await slice('after', { flag: ['camera_black'] });
    const told = await compare(before, after);
    expect(told).toMatchObject({ both: 2, only_one: 1, only_other: 0 });
    expect(told.one).toMatchObject({
      ...{ slice_id: before, run_id: null, episodes: 3, duration_s: 30, median_score: 0.9 },
      decisions: { accept: 2, review: 1, reject: 0 },
      // Raised twice in one episode it is one episode.
      flags: [
        { value: 'camera_lags', episodes: 1 },
        { value: 'signal_jump', episodes: 1 },
      ],
      tasks: [{ value: 'wipe', episodes: 3 }],
    });
    expect(told.other).toMatchObject({ episodes: 2, decisions: { accept: 1, review: 0, reject: 1 } });
    expect([told.decided_otherwise, told.flagged_otherwise]).toEqual([1, 2]);
    expect(told.changes.map(({ name, one, other }) => [name, one.decision, other.decision])).toEqual([
      ['b', 'review', 'reject'],
      ['a', 'accept', 'accept'],
    ]);
    const bins = [told.one, told.other].map(({ durations }) => durations.map(({ episodes }) => episodes));
    expect(bins).toEqual([
      [3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]);
    expect(told.other.durations.at(-1)).toEqual({ from_s: 28, to_s: 30, episodes: 1 });
  });

  it('finds no difference between a slice and itself, and holds an empty one', async () => {
    const own = await slice('own', {});
    expect(await compare(own, own)).toMatchObject({ both: 3, decided_otherwise: 0, changes: [] });
    const none = await slice('none', { robot: ['nobody'] });
    expect((await compare(none, none)).one).toMatchObject({ episodes: 0, durations: [], median_score: null });
  });

  it('knows no slice or run of another project or tenant', async () => {
    const own = await slice('mine', {});
    const elsewhere = await projectOf(store);
    await expect(compare(own, own, elsewhere.call)).rejects.toMatchObject({ code: 'not_found' });
    const there = { project_id: elsewhere.project_id, one: { slice_id: own }, other: { slice_id: own } };
    await expect(compareEpisodes(store, elsewhere.call, there)).rejects.toMatchObject({ code: 'not_found' });
    const run = { project_id, one: { run_id: newId('run') }, other: { slice_id: own } };
    await expect(compareEpisodes(store, callAs('viewer', call.actor.tenant_id), run)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
