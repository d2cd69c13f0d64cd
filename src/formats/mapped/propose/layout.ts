import type { SourceTree } from '#io/sources';

/** How tables and videos of a folder lie, as far as their names tell. */
export interface Layout {
  /** A table to look into. */
  readonly sample: string;
  /** Pattern with `{episode}`, or the one table's path. */
  readonly tables: string;
  readonly table_count: number;
  readonly is_single: boolean;
  readonly videos: readonly {
    readonly id: string;
    readonly pattern: string;
    readonly count: number;
    readonly is_exact: boolean;
  }[];
}

const tableName = /\.(csv|tsv|parquet)$/i;
const videoName = /\.(mp4|mkv|mov|webm|avi|m4v)$/i;

/** Guesses which names differ by the episode alone; null where there is no table. */
export function layoutOf(tree: SourceTree): Layout | null {
  const paths = tree.files.filter(({ bytes }) => bytes > 0).map(({ path }) => path);
  const videos = paths.filter((path) => videoName.test(path));
  const named = new Set(videos.flatMap((path) => slotsOf(path).map(({ episode }) => episode)));
  const tables = largestFamily(
    paths.filter((path) => tableName.test(path)),
    named,
  );
  if (tables === null) return null;
  return {
    sample: tables.paths[0],
    tables: tables.pattern,
    table_count: tables.paths.length,
    is_single: tables.paths.length === 1,
    videos: videoPatterns(videos, tables.episodes),
  };
}

interface Family {
  readonly pattern: string;
  readonly paths: readonly string[];
  readonly episodes: readonly string[];
}

/** The most paths that are alike but for one part of the name; of equals, one whose part names something else too. */
function largestFamily(paths: readonly string[], named: ReadonlySet<string>): Family | null {
  const families = new Map<string, { path: string; episode: string }[]>();
  for (const path of paths) {
    for (const { pattern, episode } of slotsOf(path)) {
      const own = families.get(pattern);
      if (own === undefined) families.set(pattern, [{ path, episode }]);
      else own.push({ path, episode });
    }
  }
  const worth = (members: readonly { episode: string }[]) =>
    2 * members.length + (members.some(({ episode }) => named.has(episode)) ? 1 : 0);
  const [best] = [...families]
    .filter(([, members]) => members.length > 1)
    .sort(([, a], [, b]) => worth(b) - worth(a));
  if (best !== undefined) {
    const [pattern, members] = best;
    return {
      pattern,
      paths: members.map(({ path }) => path),
      episodes: members.map(({ episode }) => episode),
    };
  }
  return paths.length === 0 ? null : { pattern: paths[0], paths: paths.slice(0, 1), episodes: [''] };
}

/** Places of a path where an episode's name may stand: a number, a folder, or the whole name. */
function slotsOf(path: string): { pattern: string; episode: string }[] {
  const cut = (from: number, to: number) => ({
    pattern: `${path.slice(0, from)}{episode}${path.slice(to)}`,
    episode: path.slice(from, to),
  });
  const slots = [...path.matchAll(/\d+/g)].map(({ index, 0: digits }) => cut(index, index + digits.length));
  const nameAt = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  slots.push(cut(nameAt, dot > nameAt ? dot : path.length));
  let from = 0;
  for (const part of path.slice(0, Math.max(0, nameAt - 1)).split('/')) {
    if (part !== '') slots.push(cut(from, from + part.length));
    from += part.length + 1;
  }
  return slots.toReversed();
}

/** Patterns of videos whose names hold the tables' episodes; where none does, each family of names is offered. */
function videoPatterns(videos: readonly string[], episodes: readonly string[]): Layout['videos'] {
  const known = new Set(episodes);
  const families = new Map<string, number>();
  for (const path of videos) {
    const slot = slotsOf(path).find(({ episode }) => known.has(episode));
    if (slot !== undefined) families.set(slot.pattern, (families.get(slot.pattern) ?? 0) + 1);
  }
  const named = [...families].slice(0, 20);
  if (named.length > 0 || videos.length === 0)
    return named.map(([pattern, count]) => ({ id: cameraOf(pattern), pattern, count, is_exact: true }));
  const family = largestFamily(videos, new Set());
  if (family === null) return [];
  return [
    { id: cameraOf(family.pattern), pattern: family.pattern, count: family.paths.length, is_exact: false },
  ];
}

/** What is left of a pattern without the episode and the folders for videos. */
function cameraOf(pattern: string): string {
  const words = pattern
    .replace(/\.[^.]*$/, '')
    .split('/')
    .map((part) => part.replace(/(episode|run|trial|demo)?[_-]?\{episode\}[_-]?/i, ''))
    .filter((part) => part !== '' && !/^(videos?|cameras?|cams?|data|media|chunk-?\d+)$/i.test(part));
  return words.at(-1) ?? 'camera';
}
