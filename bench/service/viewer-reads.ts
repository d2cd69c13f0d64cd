import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '#core/api/operations';
import { createServer, handlers } from '#service/http';
import { type Database, migrate, openBlobs, openEmbedded, refreshStatistics, type Store } from '#store';
import type { Bench, BenchOptions } from '../bench.ts';
import { actor, ms } from './over-http.ts';
import { seedEpisodes, seededOwner, seededTask } from './seed-episodes.ts';
import { seedReceipts } from './seed-receipts.ts';

const episodes = 100_000;
/** Longest time in ms that one read may block the embedded database, which answers one request at a time. */
const most_held_ms = 200;

const at = (what: string) => `/v1/projects/${seededOwner.project_id}${what}`;
/** Requests of a project page with the limit of each answer in ms; `null`: only other requests must not wait. */
const reads: readonly (readonly [path: string, limit_ms: number | null])[] = [
  ['/v1/projects', 100],
  [at(''), 100],
  [at('/summary'), 100],
  [at('/readiness/target'), 100],
  [at('/readiness/settings'), 100],
  [at('/data-kind'), 100],
  [at('/formats'), 100],
  [at('/findings'), 100],
  [at('/episodes?sort=score'), 100],
  [at('/annotation/status'), 100],
  [at('/summary?decision=accept,review'), null],
  [at('/summary?max_score=0.9&outcome=success'), null],
  [at(`/summary?task=${encodeURIComponent(seededTask(40))}`), null],
  [at('/summary?flag=black_video'), null],
];

export const viewerReadsBench: Bench = {
  id: 'service-reads',
  title: `What a viewer reads of a project of ${episodes} episodes (embedded database), and how long others wait meanwhile`,
  run: async (options) => {
    const folder = mkdtempSync(join(options.scratch, 'reads-'));
    const database = await openEmbedded(folder);
    const blobs = openBlobs({ kind: 'folder', folder: join(folder, 'blobs') });
    try {
      await migrate(database);
      const seeded = await seedEpisodes(database, episodes);
      await seedReceipts(database, blobs);
      await refreshStatistics(database);
      options.print(`  10,000 episodes inserted in at most ${ms(seeded.slowest_batch_ms)}`);
      return await measure({ database, blobs, data_folder: folder } as Store, options);
    } finally {
      blobs.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measure(store: Store, { print }: BenchOptions) {
  const server = await createServer({
    ...{ store, operations, handlers, authenticate: async () => actor },
    limits: { token_per_minute: 1e9, address_per_minute: 1e9 },
  });
  const figures: Record<string, { ms: number; held_ms: number }> = {};
  let passed = true;
  for (const [path, limit_ms] of reads) {
    const ask = async () => {
      const { statusCode, body } = await server.inject({ path, headers: { authorization: 'Bearer bench' } });
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode} ${body}`);
    };
    const tries = [await beside(store.database, ask), await beside(store.database, ask)];
    // The faster of two: whatever else runs on the machine disturbs both.
    const found = {
      ms: Math.min(...tries.map((one) => one.ms)),
      held_ms: Math.min(...tries.map((one) => one.held_ms)),
    };
    figures[path] = found;
    const good = found.held_ms < most_held_ms && (limit_ms === null || found.ms < limit_ms);
    passed &&= good;
    const limit = limit_ms === null ? '' : ` (limit ${limit_ms} ms)`;
    const name = path.replace(seededOwner.project_id, '…');
    print(`  ${good ? ' ' : '!'} ${name}: ${ms(found.ms)}${limit}, others wait at most ${ms(found.held_ms)}`);
  }
  await server.close();
  return { passed, figures };
}

/** Milliseconds that something takes, and the longest that a statement of no work had to wait meanwhile. */
async function beside(database: Database, work: () => Promise<void>) {
  let over = false;
  let held_ms = 0;
  const others = (async () => {
    while (!over) {
      const asked = performance.now();
      await database.query('SELECT 1');
      held_ms = Math.max(held_ms, performance.now() - asked);
    }
  })();
  const started = performance.now();
  await work();
  const took = performance.now() - started;
  over = true;
  await others;
  return { ms: took, held_ms };
}
