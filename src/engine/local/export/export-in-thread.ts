import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AssayError } from '#core';
import type { EpisodeChoice } from '../../steps/export/choose-episodes.ts';
import type {
  ExportedSet,
  ExportPlan,
  ExportSetTask,
  ExportSettings,
} from '../../steps/export/export-request.ts';
import { doInThread } from '../../threads/path-threads.ts';
import type { AssessHooks } from '../options.ts';
import { ProgressMeter } from '../progress.ts';

/**
 * Checks in a worker thread whether datasets can be exported as requested, without measuring anything.
 * @throws as `checkExport`
 */
export async function checkInThread(
  sets: readonly SourceSet[],
  settings: ExportSettings,
  { signal }: AssessHooks,
): Promise<void> {
  const named = sets.map(({ name, names, choice: { trims } }) => ({
    ...{ name, names },
    ...(trims === undefined ? {} : { trims }),
  }));
  const check = { ...settings, sources: named };
  await doInThread({ type: 'check-export', sources: pathsOf(sets), check }, {}, signal);
}

/** Returns what an export would write, computed in a worker thread; null if no row would be left. */
export function planInThread(
  sets: readonly SourceSet[],
  set: ExportSetTask,
  { signal }: AssessHooks,
): Promise<ExportPlan | null> {
  return doInThread({ type: 'plan-export', sources: pathsOf(sets), set }, {}, signal);
}

/** Writes an export into the folder of `set` in a worker thread, reports progress, and returns what was written. */
export function exportInThread(
  sets: readonly SourceSet[],
  set: ExportSetTask,
  { signal, onProgress: report }: AssessHooks,
): Promise<ExportedSet> {
  const meter = new ProgressMeter(report);
  const episodes = set.sources.reduce((sum, { keep }) => sum + keep.length, 0);
  meter.stage('export', { episodes, bytes: 0 });
  const onProgress = (done: number) => meter.add(done, 0);
  return doInThread({ type: 'write-export', sources: pathsOf(sets), set }, { onProgress }, signal);
}

const pathsOf = (sets: readonly SourceSet[]): string[] => sets.map(({ path }) => path);

/** A source set of an export. */
export interface SourceSet {
  readonly path: string;
  /** Name: the last component of its path, or its position from 1 if names are not unique. */
  readonly name: string;
  /** New feature names by current name. */
  readonly names: Readonly<Record<string, string>>;
  readonly choice: EpisodeChoice;
}

interface SetOptions extends EpisodeChoice {
  /** `SET:FEATURE=NAME`. */
  readonly map?: readonly string[];
}

/**
 * Returns a set per path with its name, feature names and choice of episodes; throws `usage` for an unknown set name, a set
 * given twice, or several sets with a curation plan.
 */
export function sourceSets(paths: readonly string[], settings: SetOptions): SourceSet[] {
  requireDistinct(paths);
  const names = setNames(paths);
  if (paths.length > 1 && settings.reasons !== undefined)
    throw new AssayError('usage', 'a curation plan applies to one dataset, but several were given', {
      advice: 'export each dataset with its plan first, then merge the exports',
    });
  const maps = parseFeatureMaps(settings.map ?? [], names);
  const only = settings.only === undefined ? null : splitBySet(settings.only, names, '--only');
  const without = settings.without === undefined ? null : splitBySet(settings.without, names, '--without');
  return paths.map((path, place) => ({
    path,
    name: names[place],
    names: Object.fromEntries(maps[place]),
    choice: {
      ...settings,
      ...(only === null ? {} : { only: only[place] }),
      ...(without === null ? {} : { without: without[place] }),
    },
  }));
}

/** Throws `usage` if a set is given twice, since the export would hold each episode twice. */
function requireDistinct(paths: readonly string[]): void {
  const byRealPath = new Map<string, string>();
  for (const path of paths) {
    const real = resolveLinks(path);
    const before = byRealPath.get(real);
    if (before !== undefined)
      throw new AssayError('usage', `${before} and ${path} are the same dataset`, {
        ...{ path, advice: 'list each dataset once; otherwise the export would contain its episodes twice' },
      });
    byRealPath.set(real, path);
  }
}

/** Returns the path without links, or unchanged if it does not exist (the reader reports that better). */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function setNames(paths: readonly string[]): string[] {
  const plain = paths.map((path) => basename(resolve(path)));
  return plain.map((name, place) =>
    plain.indexOf(name) === plain.lastIndexOf(name) ? name : String(place + 1),
  );
}

/** Splits `SET:EPISODE` names by set; with one set, names are unchanged. */
function splitBySet(texts: readonly string[], names: readonly string[], option: string): string[][] {
  if (names.length === 1) return [[...texts]];
  const own: string[][] = names.map(() => []);
  for (const text of texts) {
    const { place, rest } = parseSetPrefix(text, names, option, 'EPISODE');
    own[place].push(rest);
  }
  return own;
}

function parseFeatureMaps(texts: readonly string[], names: readonly string[]): Map<string, string>[] {
  const maps = names.map(() => new Map<string, string>());
  for (const text of texts) {
    const { place, rest } = parseSetPrefix(text, names, '--map', 'FEATURE=NAME');
    const at = rest.indexOf('=');
    if (at < 1 || !/^[\w.-]+$/.test(rest.slice(at + 1)))
      throw new AssayError('usage', `--map expects SET:FEATURE=NAME, got ${text}`, {
        advice: 'names may contain letters, digits, dots, dashes and underscores',
      });
    if (maps[place].has(rest.slice(0, at)))
      throw new AssayError('usage', `--map maps ${names[place]}:${rest.slice(0, at)} twice`, {});
    maps[place].set(rest.slice(0, at), rest.slice(at + 1));
  }
  return maps;
}

/**
 * Returns the position of the set whose name begins the text, and the rest of the text. Set names may contain colons. Throws
 * `usage` if no name does.
 */
function parseSetPrefix(text: string, names: readonly string[], option: string, what: string) {
  const place = names.findIndex((name) => text.startsWith(`${name}:`));
  if (place >= 0) return { place, rest: text.slice(names[place].length + 1) };
  throw new AssayError('usage', `${option} expects SET:${what}, got ${text}`, {
    advice: `the datasets are named ${names.join(', ')}`,
  });
}
