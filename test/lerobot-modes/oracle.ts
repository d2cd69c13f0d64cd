import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PlannedSet } from './plan.ts';

/** Counts of an episode's sampled rows by the real loader's outcome. */
interface ServedEpisode {
  readonly sampled: number;
  readonly refused: number;
  readonly pictures: number;
  readonly size: number;
  readonly task: number;
  readonly window: number;
  readonly missing: number;
  readonly error: string | null;
}

export interface Served {
  /** Why the set cannot be opened; null where it can. */
  readonly init: string | null;
  /** Rows that the loader says there are, and those that are. */
  readonly length: number | null;
  readonly rows: number | null;
  readonly episodes: Readonly<Record<string, ServedEpisode>>;
}

/** Runs `oracleScript` with arguments; returns what it printed. */
export type RunOracle = (...args: readonly string[]) => Promise<string>;

export const oracleScript = join(import.meta.dirname, 'loader_oracle.py');

/** Runs the oracle in processes of its own. */
export const oracleOf =
  (python: string): RunOracle =>
  async (...args) =>
    (await promisify(execFile)(python, [oracleScript, ...args], { maxBuffer: 1 << 28 })).stdout;

/**
 * Asks the real loader of each version about sets written below `folder`; by name of the set's folder. It looks at the first
 * and the last rows of each episode and at `between` others.
 */
export async function askLoader(
  run: RunOracle,
  folder: string,
  sets: readonly PlannedSet[],
  between = 6,
): Promise<ReadonlyMap<string, Served>> {
  const plan = sets.map(({ id, set }) => ({
    folder: join(folder, id),
    version: set.version,
    cameras: set.recording.cameras,
    truth: set.data.flatMap(({ rows }) => rows.map(({ truth }) => truth)),
  }));
  const path = join(folder, 'oracle-plan.json.partial');
  await writeFile(path, JSON.stringify(plan));
  const printed = await run(path, String(between));
  const answers = printed.split('\n').filter((line) => line.startsWith('{'));
  return new Map(
    answers.map((line) => {
      const answer: Served & { folder: string } = JSON.parse(line);
      return [answer.folder.slice(folder.length + 1), answer];
    }),
  );
}

/** In a few words what the loader does, with the episodes concerned. */
export function sayServed({ init, length, rows, episodes }: Served): string {
  if (init !== null) return `refuses at init: ${init.split('\n')[0].slice(0, 90)}`;
  const of = (count: (episode: ServedEpisode) => number) =>
    Object.entries(episodes)
      .filter(([, episode]) => count(episode) > 0)
      .map(([e, episode]) => `${e}(${count(episode)}/${episode.sampled})`)
      .join(' ');
  const parts = [
    ['refuses rows of', of((episode) => episode.refused)],
    ['wrong pictures in', of((episode) => episode.pictures)],
    ['pictures of another size in', of((episode) => episode.size)],
    ['wrong text in', of((episode) => episode.task)],
    ['wrong windows in', of((episode) => episode.window)],
    ['lacks action or state, or has nulls, in', of((episode) => episode.missing)],
  ].flatMap(([what, where]) => (where === '' ? [] : [`${what} ${where}`]));
  if (length !== null && length !== rows) parts.push(`says ${length} rows of ${rows}`);
  return parts.length === 0 ? 'loads right' : parts.join('; ');
}

/** Returns `true` if the loader refuses the dataset or rows of it, or returns wrong rows. */
export function isRefused(served: Served): boolean {
  return sayServed(served) !== 'loads right';
}
