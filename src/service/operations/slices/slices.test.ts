import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sliceRows } from '#store';
import { ask, describedProject } from '#test/support/search/described-project';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { type Call, scopeOf } from '../call.ts';
import { createReview } from '../episodes/reviews.ts';
import { searchProject } from '../search/search-project.ts';
import { diffSlices } from './diff-slices.ts';
import {
  createSlice,
  deleteSlice,
  getSlice,
  listSliceMembers,
  listSlices,
  promoteSlice,
} from './manage-slices.ts';

describe.each(serviceDatabases)('slices on the %s database', { timeout: 60_000 }, (on) => {
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
