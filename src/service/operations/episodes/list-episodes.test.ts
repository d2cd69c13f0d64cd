import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, seededRandom } from '#core';
import { type EpisodeSort, type EpisodeSummary, episodeSorts } from '#core/api';
import { projectRows } from '#store';
import { addEpisodes, type TestEpisode } from '#test/support/episode-rows';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { type Call, scopeOf } from '../call.ts';
import { createProject } from '../projects/manage-projects.ts';
import { createWorkspace } from '../workspaces.ts';
import { type EpisodeQuery, listEpisodes } from './list-episodes.ts';

const decisions = ['accept', 'review', 'reject'] as const;
const kinds = ['teleop', 'drive-log', 'state-only'] as const;
const outcomes = ['success', 'failure', 'unknown'] as const;
const flags = ['dropped_samples', 'black_video', 'jerky_motion'];
const tasks = ['open the drawer, then close it', 'fold', null];
const robots = ['so100', 'ur5', null];
const sources = [newId('src'), newId('src')];
const runs = [newId('run'), newId('run')];

const random = seededRandom(5);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random.between(0, values.length))];
const manyEpisodes = (count: number): TestEpisode[] =>
  Array.from({ length: count }, (_, index) => ({
    // Many equal values, so that ties are met everywhere.
    name: `take_${index % 40}`,
    dataset_path: `set_${index}`,
    decision: pick(decisions),
    score: pick([0, 0.25, 0.5, 0.8, 1, null]),
    duration_s: pick([1, 2.5, 10]),
    kind: pick(kinds),
    outcome: pick(outcomes),
    task: pick(tasks),
    robot: pick(robots),
    flags: flags.filter(() => random.between(0, 1) < 0.3),
    review_decision: pick([...decisions, null, null, null]),
    source_id: pick(sources),
    run_id: pick(runs),
  }));

const several = <T>(values: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: values.length }), {
    nil: undefined,
  });
const texts = (values: readonly (string | null)[]) => several(values.filter((value) => value !== null));
const number = (...values: number[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
const anyFilter = fc.record({
  decision: several(decisions),
  review_decision: several([...decisions, 'none'] as const),
  kind: several(kinds),
  flag: several(flags),
  outcome: several(outcomes),
  task: texts(tasks),
  robot: texts(robots),
  source_id: several(sources),
  run_id: several(runs),
  min_score: number(0.25, 0.5),
  max_score: number(0.5, 0.8),
  min_duration_s: number(2),
  max_duration_s: number(2.5),
});
/** Most filters absent, so that something is left. */
const filters = fc
  .tuple(anyFilter, fc.infiniteStream(fc.boolean()))
  .map(
    ([all, keep]) =>
      Object.fromEntries(
        Object.entries(all).filter(() => keep.next().value && keep.next().value),
      ) as typeof all,
  );

const isIn = <T>(values: readonly T[] | undefined, value: T) =>
  values === undefined || values.includes(value);
const within = (value: number | null, least?: number, most?: number) =>
  (least === undefined || (value !== null && value >= least)) &&
  (most === undefined || (value !== null && value <= most));

function passes(episode: EpisodeSummary, filter: Partial<EpisodeQuery>): boolean {
  return (
    isIn(filter.decision, episode.decision) &&
    isIn(filter.review_decision, episode.review_decision ?? 'none') &&
    isIn(filter.kind, episode.kind) &&
    (filter.flag === undefined || filter.flag.some((flag) => episode.flags.includes(flag))) &&
    isIn(filter.outcome, episode.outcome) &&
    isIn(filter.task as (string | null)[] | undefined, episode.task) &&
    isIn(filter.robot as (string | null)[] | undefined, episode.robot) &&
    isIn(filter.source_id, episode.source_id) &&
    isIn(filter.run_id, episode.run_id) &&
    within(episode.score, filter.min_score, filter.max_score) &&
    within(episode.duration_s, filter.min_duration_s, filter.max_duration_s)
  );
}

function inOrder(sort: EpisodeSort): (a: EpisodeSummary, b: EpisodeSummary) => number {
  const sign = sort.startsWith('-') ? -1 : 1;
  const keys = {
    score: ({ score }: EpisodeSummary) => score ?? -1,
    duration_s: ({ duration_s }: EpisodeSummary) => duration_s,
    created: ({ id }: EpisodeSummary) => id,
    name: ({ name }: EpisodeSummary) => name,
  };
  const key = keys[sort.replace('-', '') as keyof typeof keys];
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  return (a, b) => sign * (compare(key(a), key(b)) || compare(a.id, b.id));
}

describe.each(serviceDatabases)('a list of episodes on the %s database', (on) => {
  let store: TestStore;
  let call: Call;
  let project_id: string;
  let all: EpisodeSummary[];

  const makeProject = async (owner: Call) => {
    const workspace = await createWorkspace(store, owner, { name: 'lab', use_case: 'robotic-manipulation' });
    const about = { workspace_id: workspace.id, name: 'p', target_profile: 'vla' } as const;
    return (await createProject(store, owner, about)).id;
  };
  const list = (query: Partial<EpisodeQuery>) =>
    listEpisodes(store, call, { project_id, sort: '-created', limit: 50, ...query });
  const readAll = async (query: Partial<EpisodeQuery>, limit: number) => {
    const items: EpisodeSummary[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = await list({ ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
      items.push(...page.items);
      if (page.next_cursor === null) return items;
      expect(page.items).toHaveLength(limit);
      cursor = page.next_cursor;
    }
  };

  beforeAll(async () => {
    store = await openTestStore({ on });
    call = callAs('engineer');
    project_id = await makeProject(call);
    await addEpisodes(store, call.actor.tenant_id, project_id, manyEpisodes(240));
    await addEpisodes(store, callAs('viewer').actor.tenant_id, project_id, manyEpisodes(5));
    all = (await list({ limit: 500 })).items;
  }, 120_000);
  afterAll(() => store.close());

  it('holds every episode of the project and no other tenant’s', () => {
    expect(all).toHaveLength(240);
    expect(new Set(all.map(({ id }) => id)).size).toBe(240);
  });

  it('is what filtering and sorting one by one gives, page by page, whatever is asked', async () => {
    const question = fc.record({
      filter: filters,
      sort: fc.constantFrom(...episodeSorts),
      limit: fc.integer({ min: 7, max: 90 }),
    });
    await fc.assert(
      fc.asyncProperty(question, async ({ filter, sort, limit }) => {
        const expected = all.filter((episode) => passes(episode, filter)).sort(inOrder(sort));
        expect(await readAll({ ...filter, sort }, limit)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it('puts unscored episodes behind all others when the best come first', async () => {
    const scores = (await readAll({ sort: '-score' }, 100)).map(({ score }) => score);
    const first = scores.indexOf(null);
    expect(first).toBeGreaterThan(100);
    expect(scores.slice(first).every((score) => score === null)).toBe(true);
  });

  it('shows texts, numbers and times as they were kept, whatever the database’s time zone', async () => {
    const mine = await makeProject(call);
    const kept = ['"a", {b}\\ \n\u001f', "it's ' \t", 'ü 日本 🤖', 'null', 'NULL'].map(
      (name, index, names) => ({
        ...{ name, task: name, robot: name, flags: names.slice(index), start_ns: '1760000000000000001' },
        ...{ score: [0, 1e-7, 0.1 + 0.2, 1, null][index], duration_s: [1e21, 1 / 3, 5e-324, 0, 12][index] },
        created_at: new Date(Date.UTC(2026, 0, 31, 23, 59, 59, [0, 1, 10, 120, 999][index])),
        reviewed_at: index === 0 ? null : new Date(Date.UTC(2027, index, 29)),
      }),
    );
    await addEpisodes(store, call.actor.tenant_id, mine, kept);
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']) {
      const listed = await store.database.transaction(async () => {
        await store.database.query(`SET LOCAL TIME ZONE '${zone}'`);
        return list({ project_id: mine, sort: 'created' });
      });
      expect(listed.items).toMatchObject(
        kept.map((row) => ({
          ...row,
          created_at: row.created_at.toISOString(),
          reviewed_at: row.reviewed_at?.toISOString() ?? null,
        })),
      );
    }
  });

  it('neither repeats nor skips when episodes are added between two pages', async () => {
    const mine = await makeProject(call);
    const [first] = await addEpisodes(store, call.actor.tenant_id, mine, [
      { score: 0.5 },
      { score: 0.7 },
      { score: 0.9 },
    ]);
    const page = await list({ project_id: mine, sort: 'score', limit: 1 });
    expect(page.items.map(({ id }) => id)).toEqual([first]);
    await addEpisodes(store, call.actor.tenant_id, mine, [{ score: 0.1 }, { score: 0.8 }]);
    const rest = await list({ project_id: mine, sort: 'score', cursor: page.next_cursor! });
    expect(rest.items.map(({ score }) => score)).toEqual([0.7, 0.8, 0.9]);
  });

  it('shows and filters by the pinned kind while there is one', async () => {
    const pin = (data_kind_override: 'egocentric' | null) =>
      projectRows.updateProject(scopeOf(store, call), project_id, {
        data_kind_override,
        updated_at: call.now,
      });
    await pin('egocentric');
    expect((await list({ kind: ['egocentric'] })).items.every(({ kind }) => kind === 'egocentric')).toBe(
      true,
    );
    expect((await list({ kind: ['egocentric'], limit: 500 })).items).toHaveLength(240);
    expect((await list({ kind: ['teleop'] })).items).toEqual([]);
    await pin(null);
    expect((await list({ limit: 500 })).items).toEqual(all);
  });

  it('refuses cursors that it did not give for this order', async () => {
    const { next_cursor } = await list({ sort: 'score', limit: 5 });
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const wrong = [
      'x',
      '',
      '"}{',
      next_cursor!.slice(3),
      forged(null),
      forged(['score', 'not a number', all[0].id]),
      forged(['score', 0.5, "' OR true --"]),
      forged(['score', 0.5, all[0].id, 1]),
    ];
    for (const cursor of wrong)
      await expect(list({ sort: 'score', cursor }), cursor).rejects.toMatchObject({
        code: 'invalid_request',
        details: { errors: [{ pointer: '/query/cursor' }] },
      });
    await expect(list({ sort: '-score', cursor: next_cursor! })).rejects.toThrow(/invalid cursor/);
  });

  it('is not there for another tenant, nor for a project that does not exist', async () => {
    const stranger = listEpisodes(store, callAs('admin'), { project_id, sort: 'name', limit: 5 });
    const absent = list({ project_id: newId('prj') });
    const said = await Promise.all([stranger, absent].map((page) => page.catch((thrown) => thrown)));
    expect(said[0]).toMatchObject({ code: 'not_found' });
    expect(said[1].message).toBe(said[0].message);
  });
});
