import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { seededRandom } from '#kernel';
import { type Database, openEmbedded, openServer } from '#store';
import { alive, descendantsOf } from './descendants.ts';
import { type ServiceProcess, type ServiceRequests, startServiceProcess } from './service-process.ts';
import { bothDatabases, createOwnDatabase } from './service-store.ts';
import { copyEmptyDatabase } from './store-template.ts';
import { rounds } from './tiers.ts';

/** As many as ASSAY_KILL_ROUNDS says; `npm run soak` does 1,000. */
export const killRounds = Number(process.env.ASSAY_KILL_ROUNDS ?? rounds(1, 20));
export const killSeed = Number(process.env.ASSAY_KILL_SEED ?? 1);
/** In CI the one that laptops run, at night every one. */
export const killDatabases = bothDatabases.slice(0, rounds(1, bothDatabases.length));

/** A service that is killed and started again on the same data. */
export interface KillableService {
  start(): Promise<ServiceProcess>;
  /** While the service is stopped, or before its first start. */
  openDatabase(): Promise<Database>;
  /** Lets go of a database of its own. */
  drop(): Promise<void>;
}

export async function killableService(
  on: (typeof bothDatabases)[number],
  data: string,
  recordings: string,
): Promise<KillableService> {
  const own = on === 'server' ? await createOwnDatabase('migrated') : { url: null, drop: async () => {} };
  if (own.url === null) await copyEmptyDatabase(data);
  const env = {
    ASSAY_WORKERS: '2',
    ASSAY_RATE_LIMIT: '1000000',
    ASSAY_COMPUTE_USD_PER_S: '1',
    ...(own.url === null ? {} : { ASSAY_DATABASE_URL: own.url }),
  };
  return {
    start: () => startServiceProcess({ data, roots: [recordings], env }),
    openDatabase: async () => (own.url === null ? openEmbedded(data) : openServer(own.url)),
    drop: own.drop,
  };
}

/** A moment as a part of the time that it takes undisturbed: each round in a part of its own, until after its end. */
export const momentOf = (
  round: number,
  random: ReturnType<typeof seededRandom>,
  rounds = killRounds,
): number => (1.1 * (round + random.next())) / rounds;

/** How often it is killed in a round: in CI once. */
export const killsOf = (random: ReturnType<typeof seededRandom>): number =>
  random.next() < rounds(0, 0.3) ? 2 : 1;

/** Kills the process after a while, or once something has come; its children end with it. Gives what `read` saw last before. */
export async function killAfter<Known>(
  service: ServiceProcess,
  moment: number | (() => Promise<void>),
  read: () => Promise<Known>,
  nothing: Known,
): Promise<Known> {
  let known = nothing;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      known = await read().catch(() => known);
      await wait(20);
    }
  })();
  await (typeof moment === 'number' ? wait(moment) : moment());
  const children = descendantsOf(service.child.pid!);
  await service.kill();
  watching.abort();
  await watch;
  for (let tries = 0; tries < 100 && alive(children).length > 0; tries++) await wait(50);
  expect(alive(children)).toEqual([]);
  return known;
}

/** Asks until work is over. */
export async function untilEnded(service: ServiceRequests, path: string) {
  for (;;) {
    const now = await service.ask('GET', path);
    if (now.status !== 'queued' && now.status !== 'running') return now;
    await wait(20);
  }
}

/** Paths of the files in a folder, relative to it; none where it is not there. */
export function filesBelow(folder: string): string[] {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
    : [];
  return names.filter((name) => statSync(join(folder, name)).isFile());
}
