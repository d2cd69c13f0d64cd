import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { searchQuerySchema } from '#core/api';
import { closeTextEncoders, indexTexts } from '#engine';
import { searchProject } from '#service/operations';
import { migrate, openEmbedded, openQueue, type Store } from '#store';
import { addEpisodes } from '#test/support/episode-rows';
import { peersPython } from '#test/support/peers';
import { projectOf } from '#test/support/search/described-project';
import { sentenceModel, unpackSentenceModel } from '#test/support/sentence-model';
import type { Bench, BenchOptions } from '../bench.ts';
import { actor, ms } from '../service/over-http.ts';
import { quantile, sorted } from '../service/quantile.ts';
import { seedEpisodes, seededOwner } from '../service/seed-episodes.ts';
import { createTasks, paraphrases } from './paraphrases.ts';

const floors = { recall: 0.85, p95_ms: 150 };

/** Search by meaning with the published weights: what paraphrases find among 1,000 tasks, and the time among 100,000. */
export const meaningBench: Bench = {
  id: 'search-meaning',
  title:
    'Search by meaning: recall@10 of paraphrases beside words, and the time of a search of 100,000 episodes',
  run: async (options) => {
    if (peersPython === undefined) {
      options.print('  not measured: ASSAY_PEERS_PYTHON names the environment with the weights');
      return { passed: true, figures: {} };
    }
    const recalls: Recall[] = [];
    for (const seed of options.quick ? [1] : [1, 2, 3])
      recalls.push(await withStore(options, (store) => measureRecall(store, seed, options)));
    const mean = (of: keyof Recall) => recalls.reduce((sum, one) => sum + one[of], 0) / recalls.length;
    const recall = { meaning: mean('meaning'), words: mean('words') };
    const few = await withStore(options, (store) => measureTime(store, options, false));
    const figures = { recall, few_tasks: few };
    const passed = recall.meaning >= floors.recall && few.p95_ms <= floors.p95_ms;
    if (options.quick) return { passed, figures };
    const own = await withStore(options, (store) => measureTime(store, options, true));
    return { passed, figures: { ...figures, a_task_per_episode: own } };
  },
};

/** Fraction of the queries whose task is among the first ten episodes. */
interface Recall {
  readonly meaning: number;
  readonly words: number;
}

async function withStore<Result>(
  { scratch }: BenchOptions,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const data_folder = mkdtempSync(join(scratch, 'meaning-'));
  const database = await openEmbedded(data_folder);
  try {
    await migrate(database);
    const queue = await openQueue(database, { worker: 'bench' });
    const store = { database, data_folder, queue } as Store;
    unpackSentenceModel(data_folder);
    try {
      return await use(store);
    } finally {
      await closeTextEncoders(store);
      await queue.stop(0);
    }
  } finally {
    await database.close();
    rmSync(data_folder, { recursive: true, force: true });
  }
}

/** Searches for the paraphrases among 1,000 tasks; `seed` gives the tasks that are not asked for. */
async function measureRecall(store: Store, seed: number, { print }: BenchOptions): Promise<Recall> {
  const { call, project_id } = await projectOf(store);
  const { tenant_id } = call.actor;
  const tasks = [...paraphrases.map(({ task }) => task), ...createTasks(1000 - paraphrases.length, seed)];
  await addEpisodes(
    store,
    tenant_id,
    project_id,
    tasks.map((task, i) => ({ name: `take_${i}`, task })),
  );
  await indexTexts(store, { data: { tenant_id, project_id }, signal: new AbortController().signal });
  const found = { meaning: 0, words: 0 };
  for (const { task, query } of paraphrases)
    for (const match of ['meaning', 'words'] as const) {
      const asked = searchQuerySchema.parse({ rank: { by: 'text', text: query, match } });
      const { items } = await searchProject(store, call, { project_id, limit: 10, ...asked });
      if (items.some(({ episode }) => episode.task === task)) found[match]++;
    }
  const [meaning, words] = [found.meaning / paraphrases.length, found.words / paraphrases.length];
  print(
    `  recall@10 of ${paraphrases.length} paraphrases among ${tasks.length} tasks: meaning ${meaning}, words ${words}`,
  );
  return { meaning, words };
}

/** Wall time of a search of 100,000 episodes with a page of 50, of queries that were not asked before. */
async function measureTime(store: Store, { quick, print }: BenchOptions, own_tasks: boolean) {
  const { database } = store;
  const { tenant_id, project_id } = seededOwner;
  await seedEpisodes(database, 100_000);
  if (own_tasks)
    await database.query(
      "UPDATE episodes SET task = task || ' ' || id WHERE tenant_id = $1 AND project_id = $2",
      [tenant_id, project_id],
    );
  await database.query(
    `INSERT INTO text_vectors SELECT $1, $2, $3, key, l2_normalize((SELECT array_agg(random() - 0.5)
       FROM generate_series(1, 384) AS n WHERE key <> '')::vector)
     FROM (SELECT DISTINCT task_key AS key FROM episodes WHERE tenant_id = $1 AND project_id = $2
       AND task_key IS NOT NULL) AS tasks`,
    [tenant_id, project_id, sentenceModel],
  );
  await database.query('VACUUM (ANALYZE) text_vectors');
  const { rows } = await database.query('SELECT count(*)::int AS n FROM text_vectors');
  const call = { actor, request_id: 'bench', now: new Date() };
  const times: number[] = [];
  for (const [i, { query }] of paraphrases.slice(0, quick ? 30 : 100).entries()) {
    const asked = searchQuerySchema.parse({ rank: { by: 'text', text: query, match: 'meaning' } });
    const begun = performance.now();
    await searchProject(store, call, { project_id, limit: 50, ...asked });
    // The first ones load the model and warm caches.
    if (i >= 5) times.push(performance.now() - begun);
  }
  const all = sorted(times);
  const [p50_ms, p95_ms] = [quantile(all, 0.5), quantile(all, 0.95)];
  print(`  100,000 episodes of ${rows[0].n} tasks: p50 ${ms(p50_ms)}, p95 ${ms(p95_ms)}`);
  return { tasks: rows[0].n as number, p50_ms, p95_ms };
}
