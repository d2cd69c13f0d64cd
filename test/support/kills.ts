import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { seededRandom } from '#core';
import { type Database, openEmbedded, openServer } from '#store';
import { alive, descendantsOf } from './descendants.ts';
import { type ServiceProcess, type ServiceRequests, startServiceProcess } from './service-process.ts';
import { availableDatabases, createOwnDatabase } from './service-store.ts';
import { copyEmptyDatabase } from './store-template.ts';
import { rounds } from './tiers.ts';

/** Number of kills, from ASSAY_KILL_ROUNDS; `npm run soak` does 1,000. */
export const killRounds = Number(process.env.ASSAY_KILL_ROUNDS ?? rounds(1, 20));
export const killSeed = Number(process.env.ASSAY_KILL_SEED ?? 1);
/** Databases that services are killed on: the embedded one in CI, all available ones at night. */
export const killDatabases = availableDatabases.slice(0, rounds(1, availableDatabases.length));

/** A service that is killed and started again on the same data. */
export interface KillableService {
  start(): Promise<ServiceProcess>;
  /** While the service is stopped, or before its first start. */
  openDatabase(): Promise<Database>;
  /** Lets go of a database of its own. */
  drop(): Promise<void>;
}

export async function killableService(
  on: (typeof availableDatabases)[number],
  data: string,
  recordings: string,
  more: Readonly<Record<string, string>> = {},
): Promise<KillableService> {
  const own = on === 'server' ? await createOwnDatabase('migrated') : { url: null, drop: async () => {} };
  if (own.url === null) await copyEmptyDatabase(data);
  const env = {
    ASSAY_WORKERS: '2',
    ASSAY_RATE_LIMIT: '1000000',
    ASSAY_COMPUTE_USD_PER_S: '1',
    ...(own.url === null ? {} : { ASSAY_DATABASE_URL: own.url }),
    ...more,
  };
  return {
    start: () => startServiceProcess({ data, roots: [recordings], env }),
    openDatabase: async () => (own.url === null ? openEmbedded(data) : openServer(own.url)),
    drop: own.drop,
  };
}

/** Random time of a round's kill, as a fraction (0 to 1.1) of the undisturbed duration; the rounds share the range evenly. */
export const killTimeFraction = (
  round: number,
  random: ReturnType<typeof seededRandom>,
  rounds = killRounds,
): number => (1.1 * (round + random.next())) / rounds;

/** Kills in a round: 1 in CI, 1 or 2 at night. */
export const killsPerRound = (random: ReturnType<typeof seededRandom>): number =>
  random.next() < rounds(0, 0.3) ? 2 : 1;

/**
 * Kills the service after `moment` ms, or once `moment()` resolves, and waits for its children to end. Returns the last value
 * that `read` returned before, or `initial`.
 */
export async function killAfter<Known>(
  service: ServiceProcess,
  moment: number | (() => Promise<void>),
  read: () => Promise<Known>,
  initial: Known,
): Promise<Known> {
  let known = initial;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      known = await read().catch(() => known);
      await wait(20);
    }
  })();
  const children = await (async () => {
    await (typeof moment === 'number' ? wait(moment) : moment());
    const running = descendantsOf(service.child.pid!);
    await service.kill();
    return running;
  })().finally(() => watching.abort());
  await watch;
  for (let tries = 0; tries < 100 && alive(children).length > 0; tries++) await wait(50);
  expect(alive(children)).toEqual([]);
  return known;
}

/** Polls GET `path` every 20 ms until its status is neither queued nor running. */
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
