import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchQuery } from '#core/api';
import { describedProject } from '#test/support/search/described-project';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';
import type { SearchScope } from './candidates.ts';
import { countRanked, type SearchCounts } from './counts.ts';
import { buildNearIndexes } from './near-index.ts';
import { bestEpisodes, type SearchPosition } from './search-episodes.ts';

const many = 300_000;
/** As in a project so large that the nearest are looked at first. */
const asOfMany = (own: SearchCounts): SearchCounts => ({
  ...own,
  ranked: many,
  comparable: many,
  matched: many,
});

describe.each(availableDatabases)('ways to a page on the %s database', { timeout: 120_000 }, (on) => {
  let store: TestStore;
  let scope: Parameters<typeof bestEpisodes>[0];
  let project_id: string;
  let ids: string[];
  beforeAll(async () => {
    store = await openTestStore({ on });
    const made = await describedProject(store);
    ({ project_id, ids } = made);
    const { sql } = store.database;
    scope = { sql, database: store.database, tenant_id: made.call.actor.tenant_id };
  }, 120_000);
  afterAll(() => store.close());

  const likeness = (moments: boolean) =>
    ({
      by: 'like',
      ...{ descriptor: 'motion', version: 1, layout: 'state 2', vector: '[0.6,0.8]' },
      ...{ episode_id: ids[0], moments },
    }) as const;
  const search = (filter: SearchQuery['filter'], ranking: SearchScope['ranking']): SearchScope => ({
    project_id,
    filter,
    ranking,
  });
  const filters: SearchQuery['filter'][] = [
    {},
    { decision: ['accept', 'review'] },
    { decision: ['reject'], outcome: ['success'] },
    { text: 'cube' },
  ];

  /** Page by page, until one is not full. */
  async function all(asked: SearchScope, ranked: SearchCounts, limit: number) {
    const found: { id: string; far: number }[] = [];
    for (let after: SearchPosition | null = null; ; ) {
      const page = await bestEpisodes(scope, asked, { after, limit, ranked });
      found.push(...page.hits.map(({ id, far }) => ({ id, far })));
      if (page.hits.length < limit) return found;
      after = found[found.length - 1];
    }
  }

  it('finds the same pages among the nearest as among all that pass', async () => {
    for (const filter of filters) {
      const asked = search(filter, likeness(false));
      const counted = await countRanked(scope, asked);
      const truth = await all(asked, { ...counted, ranked: 0 }, 7);
      expect(truth).toHaveLength(counted.ranked);
      expect(await all(asked, { ...counted, ranked: many }, 7)).toEqual(truth);
      // The filter may leave fewer than a page of the nearest.
      expect(await all(asked, { ...counted, ranked: many, comparable: 1 }, 7)).toEqual(truth);
    }
  });

  it('finds the same moments so', async () => {
    for (const [i, id] of ids.slice(0, 60).entries())
      for (const part of i % 3 === 0 ? [1, 2, 3] : [1])
        await store.database.query(
          `INSERT INTO embedding_moments (tenant_id, descriptor, episode_id, part, project_id, version, layout, from_s,
             to_s, vector) VALUES ($1, 'motion', $2, $3, $4, 1, 'state 2', $5, $6, $7::vector)`,
          [
            scope.tenant_id,
            id,
            part,
            project_id,
            part,
            part + 1,
            `[${Math.cos(i + part)},${Math.sin(i + part)}]`,
          ],
        );
    for (const filter of filters) {
      const asked = search(filter, likeness(true));
      const counted = await countRanked(scope, asked);
      const truth = await all(asked, { ...counted, ranked: 0 }, 5);
      expect(truth).toHaveLength(counted.ranked);
      expect(await all(asked, { ...counted, ranked: many }, 5)).toEqual(truth);
    }
  });

  it('ranks words by task as it does by episode', async () => {
    for (const filter of filters)
      for (const text of ['red cube', 'pick blue towel', 'nothing']) {
        const asked = search(filter, { by: 'text', text });
        const counted = await countRanked(scope, asked);
        expect(counted.by_task).toBe(true);
        const truth = await all(asked, { ...counted, by_task: false }, 9);
        expect(counted.ranked).toBe(truth.length);
        expect(await all(asked, counted, 9)).toEqual(truth);
      }
  });

  it('counts what passes as looking at each episode does', async () => {
    const more: SearchScope['filter'][] = [
      { stream_kind: ['teleop'] },
      { decision: ['accept'], stream_kind: [] },
    ];
    for (const filter of [...filters, ...more])
      for (const ranking of [{ by: 'age' }, likeness(false)] as const) {
        const { matched } = await countRanked(scope, { project_id, filter, ranking });
        const all = { project_id, filter, ranking: { by: 'age' } } as const;
        const page = { after: null, limit: 500, ranked: await countRanked(scope, all) };
        const { hits } = await bestEpisodes(scope, all, page);
        const others = hits.filter(({ id }) => ranking.by === 'age' || id !== ids[0]);
        expect(matched).toBe(others.length);
      }
  });

  it('counts vectors as they come, change and go', async () => {
    const run = (text: string) => store.database.query(text, [scope.tenant_id]);
    const agree = async () => {
      const kept =
        await run(`SELECT project_id, descriptor, version, layout, reason, episodes::int FROM embedding_counts
        WHERE tenant_id = $1 AND episodes > 0 ORDER BY 1, 2, 3, 4, 5`);
      const counted =
        await run(`SELECT project_id, descriptor, version, CASE WHEN vector IS NULL THEN '' ELSE layout END AS l,
          CASE WHEN vector IS NULL THEN reason ELSE '' END AS r, count(*)::int AS episodes
        FROM embeddings WHERE tenant_id = $1 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`);
      expect(kept.rows.map((row) => Object.values(row))).toEqual(
        counted.rows.map((row) => Object.values(row)),
      );
    };
    await agree();
    await run(`UPDATE embeddings SET layout = 'state 4' WHERE tenant_id = $1 AND episode_id < '${ids[20]}'`);
    await run(
      `UPDATE embeddings SET vector = NULL, reason = 'gone' WHERE tenant_id = $1 AND layout = 'state 9'`,
    );
    await agree();
    await run(`DELETE FROM embeddings WHERE tenant_id = $1 AND episode_id > '${ids[90]}'`);
    await agree();
  });

  it.skipIf(on === 'embedded')('asks an index of neighbours where there are many, and says so', async () => {
    await buildNearIndexes(store.database, new AbortController().signal, 30);
    // Nothing is built twice.
    await buildNearIndexes(store.database, new AbortController().signal, 30);
    for (const filter of filters.slice(0, 2)) {
      const asked = search(filter, likeness(false));
      const counted = await countRanked(scope, asked);
      const exact = await bestEpisodes(scope, asked, {
        after: null,
        limit: 5,
        ranked: { ...counted, ranked: 0 },
      });
      const near = await bestEpisodes(scope, asked, { after: null, limit: 5, ranked: asOfMany(counted) });
      expect(near).toEqual({ hits: exact.hits, exact: false });
      const place = exact.hits[4];
      const next = await bestEpisodes(scope, asked, { after: place, limit: 5, ranked: asOfMany(counted) });
      const truth = await bestEpisodes(scope, asked, {
        after: place,
        limit: 5,
        ranked: { ...counted, ranked: 0 },
      });
      expect(next).toEqual({ hits: truth.hits, exact: false });
    }
  });

  it.skipIf(on === 'embedded')(
    'drops the index of what has become small, and builds none once it is stopped',
    async () => {
      await buildNearIndexes(store.database, AbortSignal.abort(), 30);
      const query = "SELECT relname FROM pg_class WHERE relkind = 'i' AND relname LIKE 'embeddings_near_%'";
      const { rows } = await store.database.query(query);
      expect(rows).toHaveLength(1);
      await buildNearIndexes(store.database, AbortSignal.abort(), 1000);
      expect((await store.database.query(query)).rows).toEqual([]);
      await buildNearIndexes(store.database, AbortSignal.abort(), 30);
      expect((await store.database.query(query)).rows).toEqual([]);
    },
  );
});
