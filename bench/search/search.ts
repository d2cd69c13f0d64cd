import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { searchQuerySchema } from '#core/api';
import { searchProject } from '#service/operations';
import { buildNearIndexes, type Database, migrate, openEmbedded, type Store } from '#store';
import type { Bench, BenchOptions } from '../bench.ts';
import { actor, ms, ownDatabase, serverUrl } from '../service/over-http.ts';
import { quantile, sorted } from '../service/quantile.ts';
import { seedEpisodes, seededId, seededOwner } from '../service/seed-episodes.ts';
import { processorOf } from '../support/processor.ts';
import { seedVectors } from './seed-vectors.ts';

interface Case {
  readonly name: string;
  readonly episodes: number;
  open(folder: string): Promise<Database>;
}

/** One of `server_100000`, `server_1000000`, `embedded_100000`, where not all are wanted. */
const chosen = process.env.ASSAY_BENCH_SEARCH_CASE;

function casesOf({ quick }: BenchOptions): Case[] {
  const embedded: Case = { name: 'embedded', episodes: 100_000, open: openEmbedded };
  if (serverUrl === undefined) return [embedded];
  const open = async () => ownDatabase(serverUrl!);
  const served = (episodes: number): Case => ({ name: 'server', episodes, open });
  // The embedded database is filled slowest, and so comes last.
  const all = quick ? [served(100_000), embedded] : [served(100_000), served(1_000_000), embedded];
  return all.filter(({ name, episodes }) => chosen === undefined || chosen === `${name}_${episodes}`);
}

const limits_ms = { filters: 50, ranking: 200 };

const filters: Readonly<Record<string, object>> = {
  nothing: {},
  decision: { decision: ['accept'] },
  'decision, outcome': { decision: ['accept', 'review'], outcome: ['success'] },
  'flag, score': { flag: ['dropped_samples', 'jerky_motion'], min_score: 0.4 },
  words: { text: 'item 17 lid' },
  'kind, duration': { kind: ['state-only'], min_duration_s: 5, max_duration_s: 20 },
};

const like = (number: number) => ({ by: 'like', episode_id: seededId('ep', number) });

/** Measures the duration of each kind of search, one at a time, with coverage and a page of 50. */
export const searchBench: Bench = {
  id: 'search',
  title:
    'Searches of a project: filters with coverage and a page of 50, then ranked by likeness and by words',
  run: async (options) => {
    const figures: Record<string, unknown> = {};
    let passed = true;
    for (const one of casesOf(options)) {
      const result = await measure(one, options);
      figures[`${one.name}_${one.episodes}`] = result;
      if (one.episodes === 100_000)
        passed &&= result.filters.p95 < limits_ms.filters && result.ranking.p95 < limits_ms.ranking;
    }
    if (serverUrl === undefined) options.print('  no server measured: set ASSAY_BENCH_POSTGRES_URL');
    return { passed, figures };
  },
};

async function measure(one: Case, { quick, scratch, print }: BenchOptions) {
  const folder = mkdtempSync(join(scratch, 'search-'));
  const database = await one.open(folder);
  try {
    await migrate(database);
    await seedEpisodes(database, one.episodes);
    const begun = performance.now();
    await seedVectors(database, 'motion', one.episodes);
    print(`  ${one.name}, ${one.episodes} episodes; vectors seeded in ${ms(performance.now() - begun)}`);
    const built = performance.now();
    await buildNearIndexes(database, new AbortController().signal);
    print(`    index of neighbours, where it is kept: ${ms(performance.now() - built)}`);
    const store = { database, data_folder: folder } as Store;
    const asked = { store, processor: await processorOf(database), print };
    const rounds = quick ? 5 : 20;
    const plain = Object.entries(filters).map(([name, filter]) => ({ name, query: { filter } }));
    const ranked = [...plain.slice(0, 5), plain[5]].map(({ name, query }) => ({
      name: `like, ${name}`,
      query: { ...query, rank: like(4321) },
    }));
    ranked.push({
      name: 'words',
      query: { filter: {}, rank: { by: 'text', text: 'close item 17' } as never },
    });
    return {
      filters: await timed(asked, plain, rounds),
      ranking: await timed(asked, ranked, rounds),
    };
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Question {
  readonly name: string;
  readonly query: object;
}

interface Asked {
  readonly store: Store;
  readonly processor: () => number | null;
  readonly print: (line: string) => void;
}

async function timed({ store, processor, print }: Asked, questions: readonly Question[], rounds: number) {
  const call = { actor, request_id: 'bench', now: new Date() };
  const all: number[] = [];
  const processors: (number | null)[] = [];
  for (const { name, query } of questions) {
    const parsed = searchQuerySchema.parse(query);
    const own: number[] = [];
    let found = 0;
    let begun: number | null = null;
    for (let round = 0; round <= rounds; round++) {
      const started = performance.now();
      const { coverage } = await searchProject(store, call, {
        ...{ project_id: seededOwner.project_id, limit: 50 },
        ...parsed,
      });
      // The first warms caches and plans.
      if (round > 0) own.push(performance.now() - started);
      else begun = processor();
      found = coverage.matched;
    }
    all.push(...own);
    const times = sorted(own);
    const ended = processor();
    const took_ms = begun === null || ended === null ? null : (ended - begun) / rounds;
    processors.push(took_ms);
    print(
      `    ${name}: p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}, processor ${took_ms === null ? 'unknown' : ms(took_ms)}, ${found} match`,
    );
  }
  const times = sorted(all);
  const summary = { p50: quantile(times, 0.5), p95: quantile(times, 0.95), processor_ms: processors };
  print(`    together: p50 ${ms(summary.p50)}, p95 ${ms(summary.p95)}`);
  return summary;
}
