import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listEpisodes } from '#service/operations';
import { type Database, migrate, openEmbedded, type Store } from '#store';
import type { Bench, BenchOptions } from '../bench.ts';
import { actor, clients, emptyPath, ms, overHttp, ownDatabase, serverUrl, summary } from './over-http.ts';
import { quantile, sorted } from './quantile.ts';
import { everyPair, hard, type Question, queryOf, usual } from './questions.ts';
import { seedEpisodes, seededOwner } from './seed-episodes.ts';

const limit_ms = 50;

interface Case {
  readonly name: string;
  readonly episodes: number;
  readonly limit_ms: number;
  open(folder: string): Promise<Database>;
}

function casesOf({ quick }: BenchOptions): Case[] {
  const found: Case[] = [{ name: 'embedded', episodes: 100_000, limit_ms, open: openEmbedded }];
  if (serverUrl === undefined) return found;
  const open = async () => ownDatabase(serverUrl!);
  found.push({ name: 'server', episodes: 100_000, limit_ms, open });
  if (!quick) found.push({ name: 'server', episodes: 1_000_000, limit_ms: 2 * limit_ms, open });
  return found;
}

export const episodeListBench: Bench = {
  id: 'service-list',
  title: `Lists of episodes with two filters, ${clients} clients at once over HTTP, beside a route that does nothing`,
  run: async (options) => {
    const figures: Record<string, unknown> = {};
    let passed = true;
    for (const one of casesOf(options)) {
      const result = await measure(one, options);
      figures[`${one.name}_${one.episodes}`] = result;
      passed &&= result.p95_ms < one.limit_ms;
    }
    if (serverUrl === undefined) options.print('  no server measured: set ASSAY_BENCH_POSTGRES_URL');
    return { passed, figures };
  },
};

async function measure(one: Case, { quick, scratch, print }: BenchOptions) {
  const folder = mkdtempSync(join(scratch, 'list-'));
  const database = await one.open(folder);
  try {
    await migrate(database);
    const seeded = await seedEpisodes(database, one.episodes);
    const store = { database, data_folder: folder } as Store;
    const alone = await everyPairAlone(store);
    const served = await askOverHttp(store, quick ? 1000 : 6000);
    const ratio = served.list.p95 / served.nothing.p95;
    print(
      `  ${one.name}, ${one.episodes} episodes: p50 ${ms(served.list.p50)}, p95 ${ms(served.list.p95)} (limit ${one.limit_ms} ms), ${ratio.toFixed(1)} x an empty route (p95 ${ms(served.nothing.p95)})`,
    );
    print(`    slowest question: ${served.slowest.name}, p95 ${ms(served.slowest.p95)}`);
    print(
      `    questions that nothing or only the far end of the order answers: p50 ${ms(served.hard.p50)}, p95 ${ms(served.hard.p95)}`,
    );
    print(
      `    every pair of filters in every order, one at a time: mean ${ms(alone.mean)}, p95 ${ms(alone.p95)}, worst ${ms(alone.worst.ms)} (${alone.worst.name})`,
    );
    print(`    10,000 episodes inserted in at most ${ms(seeded.slowest_batch_ms)}`);
    return { ...served, p95_ms: served.list.p95, ratio, every_pair: alone, ...seeded };
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each question of every pair, the faster of two times. */
async function everyPairAlone(store: Store) {
  const call = { actor, request_id: 'bench', now: new Date() };
  const times: { name: string; ms: number }[] = [];
  for (const { name, sort, filter } of everyPair()) {
    const ask = async () => {
      const started = performance.now();
      await listEpisodes(store, call, { ...filter, sort, project_id: seededOwner.project_id, limit: 50 });
      return performance.now() - started;
    };
    times.push({ name, ms: Math.min(await ask(), await ask()) });
  }
  const all = sorted(times.map((time) => time.ms));
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, 20);
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return {
    questions: all.length,
    mean,
    p50: quantile(all, 0.5),
    p95: quantile(all, 0.95),
    worst: slowest[0],
    slowest,
  };
}

function askOverHttp(store: Store, requests: number) {
  const list = `/v1/projects/${seededOwner.project_id}/episodes`;
  const pathsOf = (questions: readonly Question[]) => questions.map((one) => `${list}?${queryOf(one)}`);
  return overHttp(store, async (ask) => {
    await ask(pathsOf(usual), requests / 4);
    const nothing = await ask([emptyPath], requests);
    const answers = await ask(pathsOf(usual), requests);
    const hardly = await ask(pathsOf(hard), requests / 20);
    const each = usual.map((question) => ({
      name: question.name,
      p95: quantile(sorted(answers[`${list}?${queryOf(question)}`]), 0.95),
    }));
    each.sort((a, b) => b.p95 - a.p95);
    return {
      list: summary(answers),
      hard: summary(hardly),
      nothing: summary(nothing),
      slowest: each[0],
      each,
    };
  });
}
