import { fillTemplate } from '#core';

/** Tells which of these files are there. */
export type Present = (paths: readonly string[]) => Promise<readonly boolean[]>;

const metadata = [
  'meta/info.json',
  'meta/stats.json',
  'meta/modality.json',
  'meta/tasks.jsonl',
  'meta/tasks.parquet',
  'meta/episodes.jsonl',
  'meta/episodes_stats.jsonl',
];
const episodeTables = 'meta/episodes/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';
const mostEpisodes = 100_000;
/** Of one template; a server may say of anything that it is there. */
const mostFiles = 10_000;

/**
 * Names of the files of a LeRobot set, from what its `meta/info.json` says: for servers that list nothing. Empty where
 * it says too little.
 */
export async function lerobotNames(info: unknown, present: Present): Promise<string[]> {
  const said = (name: string): unknown =>
    typeof info === 'object' && info !== null ? Reflect.get(info, name) : undefined;
  const templates = [said('data_path'), said('video_path')].filter((path) => typeof path === 'string');
  const keys = videoKeys(said('features'));
  if (templates.length === 0) return [];
  const names = templates.some((path) => path.includes('{episode_index'))
    ? namesByEpisode(templates, keys, wholeOf(said('total_episodes')), wholeOf(said('chunks_size')) || 1000)
    : await namesByFile([episodeTables, ...templates], keys, present);
  return [...metadata, ...names];
}

function namesByEpisode(
  templates: readonly string[],
  keys: readonly string[],
  episodes: number,
  chunk: number,
): string[] {
  const names = new Set<string>();
  for (let episode_index = 0; episode_index < Math.min(episodes, mostEpisodes); episode_index++) {
    const episode_chunk = Math.floor(episode_index / chunk);
    for (const template of templates)
      for (const video_key of keysFor(template, keys)) {
        const name = fillTemplate(template, { episode_index, episode_chunk, video_key });
        if (name !== null) names.add(name);
      }
  }
  return [...names];
}

/** Files are numbered without a gap: the first that is not there ends a chunk, and an empty chunk ends them. */
async function namesByFile(
  templates: readonly string[],
  keys: readonly string[],
  present: Present,
): Promise<string[]> {
  const names = new Set<string>();
  for (const template of templates)
    for (const video_key of keysFor(template, keys)) {
      const most = names.size + mostFiles;
      for (let chunk_index = 0; ; chunk_index++) {
        const before = names.size;
        for (let file_index = 0; names.size < most; file_index++) {
          const name = fillTemplate(template, { chunk_index, file_index, video_key });
          if (name === null || names.has(name) || !(await present([name]))[0]) break;
          names.add(name);
        }
        if (names.size === before) break;
      }
    }
  return [...names];
}

const keysFor = (template: string, keys: readonly string[]): readonly string[] =>
  template.includes('{video_key}') ? keys : [''];

function videoKeys(features: unknown): string[] {
  if (typeof features !== 'object' || features === null) return [];
  return Object.entries(features).flatMap(([key, row]: [string, unknown]) =>
    typeof row === 'object' && row !== null && 'dtype' in row && row.dtype === 'video' ? [key] : [],
  );
}

const wholeOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
