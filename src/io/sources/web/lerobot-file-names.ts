import { fillTemplate } from '#core';

/** Returns for each path whether the file exists. */
export type FilesExist = (paths: readonly string[]) => Promise<readonly boolean[]>;

const metadataFiles = [
  'meta/info.json',
  'meta/stats.json',
  'meta/modality.json',
  'meta/tasks.jsonl',
  'meta/tasks.parquet',
  'meta/episodes.jsonl',
  'meta/episodes_stats.jsonl',
];
const episodeTables = 'meta/episodes/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';
const maxEpisodes = 100_000;
/** Maximum number of files of one template, because a server may claim that every file exists. */
const maxFilesPerTemplate = 10_000;

/**
 * Returns the file names of a LeRobot dataset as derived from its `meta/info.json`, for servers that cannot list
 * folders; empty if the metadata is incomplete. `present` is called for numbered files only if their count is unknown.
 */
export async function lerobotFileNames(info: unknown, present: FilesExist): Promise<string[]> {
  const field = (name: string): unknown =>
    typeof info === 'object' && info !== null ? Reflect.get(info, name) : undefined;
  const templates = [field('data_path'), field('video_path')].filter((path) => typeof path === 'string');
  const keys = videoKeys(field('features'));
  if (templates.length === 0) return [];
  const names = templates.some((path) => path.includes('{episode_index'))
    ? namesByEpisode(
        templates,
        keys,
        positiveInteger(field('total_episodes')),
        positiveInteger(field('chunks_size')) || 1000,
      )
    : await namesByFile([episodeTables, ...templates], keys, present);
  return [...metadataFiles, ...names];
}

function namesByEpisode(
  templates: readonly string[],
  keys: readonly string[],
  episodes: number,
  chunk: number,
): string[] {
  const names = new Set<string>();
  for (let episode_index = 0; episode_index < Math.min(episodes, maxEpisodes); episode_index++) {
    const episode_chunk = Math.floor(episode_index / chunk);
    for (const template of templates)
      for (const video_key of keysFor(template, keys)) {
        const name = fillTemplate(template, { episode_index, episode_chunk, video_key });
        if (name !== null) names.add(name);
      }
  }
  return [...names];
}

/**
 * Finds numbered files by checking whether they exist. Numbers have no gaps: the first missing file ends a chunk, and
 * an empty chunk ends the search.
 */
async function namesByFile(
  templates: readonly string[],
  keys: readonly string[],
  present: FilesExist,
): Promise<string[]> {
  const names = new Set<string>();
  for (const template of templates)
    for (const video_key of keysFor(template, keys)) {
      const maxNames = names.size + maxFilesPerTemplate;
      for (let chunk_index = 0; ; chunk_index++) {
        const sizeBefore = names.size;
        for (let file_index = 0; names.size < maxNames; file_index++) {
          const name = fillTemplate(template, { chunk_index, file_index, video_key });
          if (name === null || names.has(name) || !(await present([name]))[0]) break;
          names.add(name);
        }
        if (names.size === sizeBefore) break;
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

const positiveInteger = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
