import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, migrate, openEmbedded, refreshStatistics, type Store } from '#store';
import type { Bench, BenchOptions } from '../bench.ts';
import {
  clients,
  emptyPath,
  ms,
  overHttp,
  ownDatabase,
  type Summary,
  serverUrl,
  summary,
} from './over-http.ts';
import { otherProjects, seedAnnotations, seedOtherProjects } from './seed-annotations.ts';
import { seedEpisodes, seededOwner } from './seed-episodes.ts';

const episodes = 100_000;
const limit_ms = 50;
/** Settings reads a second on a PostgreSQL server, at least. */
const least_per_s = 1500;

interface Case {
  readonly name: Database['kind'];
  open(folder: string): Promise<Database>;
}

export const serviceAnnotationBench: Bench = {
  id: 'service-annotation',
  title: `Annotation settings and status of a project of ${episodes} episodes, ${clients} clients at once over HTTP, beside a route that does nothing`,
  run: async (options) => {
    const cases: Case[] = [{ name: 'embedded', open: openEmbedded }];
    if (serverUrl === undefined) options.print('  no server measured: set ASSAY_BENCH_POSTGRES_URL');
    else cases.push({ name: 'server', open: () => ownDatabase(serverUrl!) });
    const figures: Record<string, unknown> = {};
    let passed = true;
    for (const one of cases) {
      const found = await measure(one, options);
      const { settings, status } = found;
      figures[one.name] = found;
      const fast = one.name === 'embedded' || settings.per_s >= least_per_s;
      passed &&= fast && settings.p95 < limit_ms && status.p95 < limit_ms;
    }
    return { passed, figures };
  },
};

async function measure(one: Case, { quick, scratch, print }: BenchOptions) {
  const folder = mkdtempSync(join(scratch, 'annotation-'));
  const database = await one.open(folder);
  try {
    await migrate(database);
    await seedEpisodes(database, episodes);
    await seedAnnotations(database, episodes);
    await seedOtherProjects(database);
    await refreshStatistics(database);
    const store = { database, data_folder: folder } as Store;
    const found = await askAll(store, quick ? 2000 : 10_000);
    const least = one.name === 'server' ? `, at least ${least_per_s}` : '';
    print(`  ${one.name}: a route that does nothing ${told(found.nothing)}`);
    print(`    settings ${told(found.settings, found.nothing)} (p95 limit ${limit_ms} ms${least})`);
    print(`    status ${told(found.status, found.nothing)} (p95 limit ${limit_ms} ms)`);
    print(`    settings, every client of another project ${told(found.apart, found.nothing)}`);
    return found;
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each in turn, the best of three rounds by its p95: whatever else runs beside disturbs all of them. */
async function askAll(store: Store, requests: number) {
  const at = (what: string, project = seededOwner.project_id) => `/v1/projects/${project}/annotation/${what}`;
  const paths = {
    nothing: [emptyPath],
    settings: [at('settings')],
    status: [at('status')],
    apart: otherProjects.map((project) => at('settings', project)),
  };
  return overHttp(store, async (ask) => {
    await ask(Object.values(paths).flat(), 600);
    const best: { [what in keyof typeof paths]?: Summary } = {};
    for (let round = 0; round < 3; round++) {
      for (const [what, asked] of Object.entries(paths) as [keyof typeof paths, string[]][]) {
        const found = summary(await ask(asked, requests / 3));
        if (found.p95 < (best[what]?.p95 ?? Number.POSITIVE_INFINITY)) best[what] = found;
      }
    }
    return best as Required<typeof best>;
  });
}

function told({ per_s, p50, p95 }: Summary, beside?: Summary): string {
  const ratio = beside === undefined ? '' : `, ${(beside.per_s / per_s).toFixed(2)} x the empty route`;
  return `${per_s.toFixed(0)}/s, p50 ${ms(p50)}, p95 ${ms(p95)}${ratio}`;
}
