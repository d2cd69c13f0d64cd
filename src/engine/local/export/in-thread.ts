import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AssayError } from '#core';
import type { EpisodeChoice } from '../../steps/export/choose-episodes.ts';
import type { ExportAsked, ExportedSet, ExportPlan, ExportSetTask } from '../../steps/export/export-task.ts';
import type { AssessThread } from '../assess-thread.ts';
import { askAgain } from '../look.ts';
import type { AssessHooks } from '../options.ts';
import { ProgressMeter } from '../progress.ts';
import { ThreadPool } from '../threads/thread-pool.ts';

/** Throws what `checkExport` throws: nothing is measured. */
export function checkInThread(sets: readonly SourceSet[], asked: ExportAsked, hooks: AssessHooks) {
  const sources = sets.map(({ name, names, choice: { trims } }) => ({
    ...{ name, names },
    ...(trims === undefined ? {} : { trims }),
  }));
  const paths = sets.map(({ path }) => path);
  const ask = (thread: AssessThread, given_up: ReadonlyMap<string, string>) =>
    thread.checkExport({ paths, given_up, check: { ...asked, sources } });
  return inThread(sets, () => {}, ask, hooks);
}

/** What `exportInThread` would do. */
export function planInThread(
  sets: readonly SourceSet[],
  set: ExportSetTask,
  hooks: AssessHooks,
): Promise<ExportPlan | null> {
  const paths = sets.map(({ path }) => path);
  const ask = (thread: AssessThread, given_up: ReadonlyMap<string, string>) =>
    thread.planExport({ paths, given_up, set });
  return inThread(sets, () => {}, ask, hooks);
}

export function exportInThread(
  sets: readonly SourceSet[],
  set: ExportSetTask,
  hooks: AssessHooks,
): Promise<ExportedSet> {
  const meter = new ProgressMeter(hooks.onProgress);
  const episodes = set.sources.reduce((sum, { keep }) => sum + keep.length, 0);
  meter.stage('export', { episodes, bytes: 0 });
  const paths = sets.map(({ path }) => path);
  const ask = (thread: AssessThread, given_up: ReadonlyMap<string, string>) =>
    thread.export({ paths, given_up, set });
  return inThread(sets, (done) => meter.add(done, 0), ask, hooks);
}

async function inThread<T>(
  [{ path }]: readonly SourceSet[],
  onProgress: (episodes: number) => void,
  ask: (thread: AssessThread, given_up: ReadonlyMap<string, string>) => Promise<T>,
  { signal }: AssessHooks,
): Promise<T> {
  const threads = new ThreadPool();
  try {
    const { answer, worker } = await askAgain(path, threads, { onProgress }, ask, signal);
    await worker.stop();
    return answer;
  } finally {
    await threads.dispose();
  }
}

/** A place that an export takes episodes from. */
export interface SourceSet {
  readonly path: string;
  /** What people call it: the last part of its path, or its place from 1 on where two are called so. */
  readonly name: string;
  /** The name that a feature gets, by its own name. */
  readonly names: Readonly<Record<string, string>>;
  readonly choice: EpisodeChoice;
}

interface Asked extends EpisodeChoice {
  /** `SET:FEATURE=NAME`. */
  readonly map?: readonly string[];
}

/** What is asked of each set. Throws `usage` where a set is named that there is not, or one twice. */
export function sourceSets(paths: readonly string[], asked: Asked): SourceSet[] {
  demandDifferent(paths);
  const names = namesOf(paths);
  if (paths.length > 1 && asked.reasons !== undefined)
    throw new AssayError('usage', 'a plan chooses among the episodes of one set', {
      advice: 'export each set under its plan first, and then all of them as one',
    });
  const maps = featureNames(asked.map ?? [], names);
  const only = asked.only === undefined ? null : bySet(asked.only, names, '--only');
  const without = asked.without === undefined ? null : bySet(asked.without, names, '--without');
  return paths.map((path, place) => ({
    path,
    name: names[place],
    names: Object.fromEntries(maps[place]),
    choice: {
      ...asked,
      ...(only === null ? {} : { only: only[place] }),
      ...(without === null ? {} : { without: without[place] }),
    },
  }));
}

/** A set merged with itself would hold each episode twice. */
function demandDifferent(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const real = realPath(path);
    const before = seen.get(real);
    if (before !== undefined)
      throw new AssayError('usage', `${before} and ${path} are the same set`, {
        ...{ path, advice: 'name each set once; its episodes would be in the export twice' },
      });
    seen.set(real, path);
  }
}

/** Without links; as it is where nothing is there, which its reader says better. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function namesOf(paths: readonly string[]): string[] {
  const plain = paths.map((path) => basename(resolve(path)));
  return plain.map((name, place) =>
    plain.indexOf(name) === plain.lastIndexOf(name) ? name : String(place + 1),
  );
}

/** Where several sets are merged, an episode is named `SET:EPISODE`. */
function bySet(texts: readonly string[], names: readonly string[], option: string): string[][] {
  if (names.length === 1) return [[...texts]];
  const own: string[][] = names.map(() => []);
  for (const text of texts) {
    const { place, rest } = ofSet(text, names, option, 'EPISODE');
    own[place].push(rest);
  }
  return own;
}

function featureNames(texts: readonly string[], names: readonly string[]): Map<string, string>[] {
  const maps = names.map(() => new Map<string, string>());
  for (const text of texts) {
    const { place, rest } = ofSet(text, names, '--map', 'FEATURE=NAME');
    const at = rest.indexOf('=');
    if (at < 1 || !/^[\w.-]+$/.test(rest.slice(at + 1)))
      throw new AssayError('usage', `--map takes SET:FEATURE=NAME, not ${text}`, {
        advice: 'a name has letters, digits, dots, dashes and underscores',
      });
    if (maps[place].has(rest.slice(0, at)))
      throw new AssayError('usage', `--map names ${names[place]}:${rest.slice(0, at)} twice`, {});
    maps[place].set(rest.slice(0, at), rest.slice(at + 1));
  }
  return maps;
}

/** Names of sets may have colons in them. */
function ofSet(text: string, names: readonly string[], option: string, what: string) {
  const place = names.findIndex((name) => text.startsWith(`${name}:`));
  if (place >= 0) return { place, rest: text.slice(names[place].length + 1) };
  throw new AssayError('usage', `${option} takes SET:${what}, not ${text}`, {
    advice: `the sets are called ${names.join(', ')}`,
  });
}
