import type { SourceTree } from '#io/sources';
import type { Guess, Guesses, StreamGuess } from './guesses.ts';

/** Writes a mapping as YAML: each guess with its reason, and CHECK where a person must confirm it. */
export function mappingText(layout: Layout, guesses: Guesses): string {
  const episodes = layout.is_single
    ? [`  file: ${yaml(layout.tables)}`, ...episodeColumn(guesses)]
    : [`  files: ${yaml(layout.tables)}  # ${layout.table_count} tables match`];
  return [
    '# Describes how the signals of this folder are read. Written by `assay map init` from the first rows of',
    `# ${layout.sample}. Lines with CHECK contain guesses: confirm each one and delete the mark.`,
    'assay_map: 1',
    '',
    'episodes:',
    ...episodes,
    '',
    ...clockLines(guesses),
    'streams:',
    ...guesses.streams.flatMap(streamLines),
    ...withUniqueIds(layout.videos, guesses.streams).flatMap((video, at) => [
      ...(at === 0 ? ['', 'videos:'] : []),
      ...videoLines(video),
    ]),
    ...textLines(guesses),
    ...skippedLines(guesses),
    '',
  ].join('\n');
}

/** Makes video ids unique among streams and videos. */
function withUniqueIds(videos: Layout['videos'], streams: readonly StreamGuess[]): Layout['videos'] {
  const usedIds = new Set(streams.map(({ id }) => id));
  return videos.map((video) => {
    let id = video.id;
    for (let n = 2; usedIds.has(id); n++) id = `${video.id}_${n}`;
    usedIds.add(id);
    return { ...video, id };
  });
}

function episodeColumn({ episode }: Guesses): string[] {
  return episode === null
    ? [
        '  # column: …  # the whole table is one episode; otherwise name the column that identifies the episode',
      ]
    : [`  column: ${yaml(episode.value)}${comment(episode)}`];
}

function clockLines({ clocks }: Guesses): string[] {
  if (clocks.length === 0)
    return [
      '# No column looks like a clock. If rows have a constant rate, declare it; computed times do not prove when samples were captured.',
      '# rate_hz: 30',
      '',
    ];
  return [
    'clocks:  # the first is used, the others are kept; provenance says who set the timestamps: hardware, header, publish, log',
    ...clocks.flatMap((clock) => [
      `  - column: ${yaml(clock.value.column)}`,
      `    unit: ${clock.value.unit}${comment(clock)}`,
      ...(clock.value.epoch === 'unix' ? ['    epoch: unix'] : []),
      '    # provenance: log  # CHECK: declare it if you know it',
    ]),
    '',
  ];
}

function streamLines(stream: StreamGuess): string[] {
  const { id, role, columns, low, high, grippers } = stream;
  const range = Number.isFinite(low)
    ? `values range from ${shortNumber(low)} to ${shortNumber(high)} in the first rows`
    : 'no values yet';
  return [
    `  - id: ${yaml(id)}`,
    `    role: ${role.value}${comment(role)}`,
    `    columns: [${columns.map(yaml).join(', ')}]`,
    `    # unit: …  # CHECK: rad, deg, m, … (${range}); if omitted, the unit is unknown`,
    ...(grippers.length === 0 ? [] : ['    grippers:']),
    ...grippers.map(
      (column) =>
        `      - { column: ${yaml(column)}, open_value: null }  # CHECK: the value that means open; null if unknown`,
    ),
  ];
}

function videoLines({ id, pattern, count, is_exact }: Layout['videos'][number]): string[] {
  const why = is_exact
    ? `the names of ${count} videos contain an episode name`
    : `CHECK: ${count} videos match, but none has an episode name in its path`;
  return [
    `  - id: ${yaml(id)}`,
    `    files: ${yaml(pattern)}  # ${why}`,
    '    frames: own  # CHECK: use rows if each row of the table belongs to one frame',
    '    # starts_at_s: 0  # CHECK: seconds from the first row to the first frame, if known',
  ];
}

function textLines({ task, outcome }: Guesses): string[] {
  return [
    '',
    task === null
      ? '# task: pick up the cup  # the instruction, if it is the same for all episodes; or { column: … }'
      : `task: { column: ${yaml(task.value)} }${comment(task)}`,
    outcome === null
      ? '# outcome: { column: …, success: 1, failure: 0 }  # if omitted, the outcome is unknown, never a failure'
      : `# outcome: { column: ${yaml(outcome.value)}, success: 1, failure: 0 }${comment(outcome)}`,
    '# robot: …',
  ];
}

function skippedLines({ skipped }: Guesses): string[] {
  if (skipped.length === 0) return [];
  const listed = skipped.slice(0, 40).map(({ name, because }) => `${toPrintable(name)} (${because})`);
  const more = skipped.length > listed.length ? `, and ${skipped.length - listed.length} more` : '';
  return ['', `# Not used: ${listed.join(', ')}${more}`];
}

function comment({ because, check }: Guess<unknown>): string {
  return check === null
    ? `  # ${toPrintable(because)}`
    : `  # CHECK ${toPrintable(check)} (${toPrintable(because)})`;
}

/** Quotes a text for YAML unless it is a plain string. */
function yaml(text: string): string {
  return /^[A-Za-z_][\w./{}-]*$/.test(text) &&
    !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text) &&
    !text.includes('{')
    ? text
    : JSON.stringify(text);
}

/** Removes control characters and line breaks, which would end a YAML comment, and cuts to 200 characters. */
function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 200);
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Arrangement of tables and videos in a folder, by their names. */
interface Layout {
  /** Path of the table that is sampled. */
  readonly sample: string;
  /** Pattern with `{episode}`, or the path of the only table. */
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

/** Detects which part of the file names is the episode; `null` if there is no table. */
export function detectLayout(tree: SourceTree): Layout | null {
  const paths = tree.files.filter(({ bytes }) => bytes > 0).map(({ path }) => path);
  const videos = paths.filter((path) => videoName.test(path));
  const videoEpisodes = new Set(videos.flatMap((path) => findSlots(path).map(({ episode }) => episode)));
  const tables = largestFamily(
    paths.filter((path) => tableName.test(path)),
    videoEpisodes,
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

/**
 * Returns the largest group of paths that differ in one part of the name only. Of equally large groups, one whose
 * varying part also names a video is preferred. `null` for no paths.
 */
function largestFamily(paths: readonly string[], videoEpisodes: ReadonlySet<string>): Family | null {
  const families = new Map<string, { path: string; episode: string }[]>();
  for (const path of paths) {
    for (const { pattern, episode } of findSlots(path)) {
      const group = families.get(pattern);
      if (group === undefined) families.set(pattern, [{ path, episode }]);
      else group.push({ path, episode });
    }
  }
  const score = (members: readonly { episode: string }[]) =>
    2 * members.length + (members.some(({ episode }) => videoEpisodes.has(episode)) ? 1 : 0);
  const [best] = [...families]
    .filter(([, members]) => members.length > 1)
    .sort(([, a], [, b]) => score(b) - score(a));
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

/** Returns patterns for each part of a path that may be an episode name: a number, a folder, or the file name. */
function findSlots(path: string): { pattern: string; episode: string }[] {
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

/**
 * Returns patterns of videos whose names contain the tables' episodes; if there are none, the largest group of video
 * names.
 */
function videoPatterns(videos: readonly string[], episodes: readonly string[]): Layout['videos'] {
  const knownEpisodes = new Set(episodes);
  const families = new Map<string, number>();
  for (const path of videos) {
    const slot = findSlots(path).find(({ episode }) => knownEpisodes.has(episode));
    if (slot !== undefined) families.set(slot.pattern, (families.get(slot.pattern) ?? 0) + 1);
  }
  const matching = [...families].slice(0, 20);
  if (matching.length > 0 || videos.length === 0)
    return matching.map(([pattern, count]) => ({ id: cameraName(pattern), pattern, count, is_exact: true }));
  const family = largestFamily(videos, new Set());
  if (family === null) return [];
  return [
    { id: cameraName(family.pattern), pattern: family.pattern, count: family.paths.length, is_exact: false },
  ];
}

/**
 * Returns a camera name: the last part of a pattern without the episode and generic folder names; `camera` if nothing
 * remains.
 */
function cameraName(pattern: string): string {
  const words = pattern
    .replace(/\.[^.]*$/, '')
    .split('/')
    .map((part) => part.replace(/(episode|run|trial|demo)?[_-]?\{episode\}[_-]?/i, ''))
    .filter((part) => part !== '' && !/^(videos?|cameras?|cams?|data|media|chunk-?\d+)$/i.test(part));
  return words.at(-1) ?? 'camera';
}
