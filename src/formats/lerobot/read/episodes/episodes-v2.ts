import { fillTemplate, listText, parseTolerantJsonLines } from '#core';
import type { SourceTree } from '#io/sources';
import type { FindingCollector } from '../../metadata/finding-collector.ts';
import { isObject, type LeRobotInfo, reportOddities } from '../../metadata/info.ts';
import { reportBadLines } from '../../metadata/tasks.ts';
import { createLeRobotViolation } from '../../rules/contract.ts';
import {
  createRowLookup,
  createRowsBefore,
  type EpisodeTable,
  StringPool,
  splitTasks,
  taskSeparator,
} from './episode-table.ts';

const source = 'meta/episodes.jsonl';
const defaultDataTemplate = 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet';
const defaultVideoTemplate = 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4';

/**
 * Reads the episodes of a v2 set, by ascending index, from episodes.jsonl and the names of data files; adds findings
 * for bad lines, unlisted data files and wrong path templates, not for missing files.
 */
export async function readEpisodesV2(
  tree: SourceTree,
  info: LeRobotInfo,
  cameras: readonly string[],
  notes: FindingCollector,
): Promise<EpisodeTable> {
  const dataFiles = indexFilesByEpisode(tree, /^data\/.*?episode_(\d+)\.parquet$/i);
  const videoFiles = indexVideosByEpisode(tree, cameras);
  const lines = await readEpisodeLines(tree, notes);
  const indexes = [...new Set([...lines.keys(), ...dataFiles.keys()])].sort((a, b) => a - b);
  reportUnlisted(indexes, lines, tree, notes);
  const interned = new StringPool();
  const index = Int32Array.from(indexes);
  const length = new Int32Array(index.length).fill(-1);
  const tasks = new Int32Array(index.length).fill(-1);
  indexes.forEach((episode, row) => {
    const line = lines.get(episode);
    if (line === undefined) return;
    length[row] = line.length ?? -1;
    tasks[row] = line.tasks === null ? -1 : interned.intern(line.tasks.join(taskSeparator));
  });
  const place = (template: string, episode: number, camera = ''): string | null =>
    fillTemplate(template, {
      episode_index: episode,
      episode_chunk: Math.floor(episode / info.chunks_size),
      video_key: camera,
    });
  const misplaced = new MisplacedFiles();
  const resolve = (template: string, found: string | undefined, episode: number, camera = '') => {
    const declared = place(template, episode, camera);
    if (declared !== null && tree.has(declared)) return declared;
    if (found !== undefined && declared !== null) misplaced.add(template, declared, found);
    return found ?? declared;
  };
  const table: EpisodeTable = {
    files: tree.has(source) ? [source] : [],
    count: index.length,
    index,
    length,
    rowOf: createRowLookup(index),
    rowRange: () => null,
    rowsBefore: createRowsBefore(length),
    tasks: (row) => (tasks[row] < 0 ? null : splitTasks(interned.values[tasks[row]])),
    dataPath: (row) => resolve(info.data_path ?? defaultDataTemplate, dataFiles.get(index[row]), index[row]),
    video: (row, camera) => {
      const found = videoFiles.get(camera)?.get(index[row]);
      const path = resolve(info.video_path ?? defaultVideoTemplate, found, index[row], camera);
      return path === null ? null : { path, from_s: 0, to_s: null };
    },
  };
  for (let row = 0; row < table.count; row++) {
    table.dataPath(row);
    for (const camera of cameras) table.video(row, camera);
  }
  misplaced.report(notes);
  return table;
}

/** A line of episodes.jsonl. */
interface EpisodeLine {
  readonly length: number | null;
  readonly tasks: readonly string[] | null;
}

/** Reads episodes.jsonl by episode index; reports a missing file, bad lines and repeated episodes. */
async function readEpisodeLines(
  tree: SourceTree,
  notes: FindingCollector,
): Promise<Map<number, EpisodeLine>> {
  const found = new Map<number, EpisodeLine>();
  if (!tree.has(source)) {
    notes.addFinding(
      createLeRobotViolation(
        'v2',
        'episodes_missing',
        source,
        `${source} is missing; the episodes were inferred from the data files`,
      ),
    );
    return found;
  }
  const lines = parseTolerantJsonLines(await tree.read(source, 512 * 1024 * 1024), source);
  reportOddities(source, lines, notes);
  reportBadLines(source, lines.bad_lines, notes);
  const repeated: number[] = [];
  for (const line of lines.values) {
    if (!isObject(line) || typeof line.episode_index !== 'number') continue;
    if (found.has(line.episode_index)) repeated.push(line.episode_index);
    const length = typeof line.length === 'number' ? line.length : line.num_frames;
    found.set(line.episode_index, {
      length: typeof length === 'number' ? length : null,
      tasks: Array.isArray(line.tasks) ? line.tasks.filter((task) => typeof task === 'string') : null,
    });
  }
  if (repeated.length > 0) {
    notes.add(
      'episode_repeated',
      'error',
      source,
      `${source} lists episode ${listText(repeated)} more than once; the last line is used`,
      'keep one line per episode',
    );
  }
  return found;
}

/** Reports data files of episodes that episodes.jsonl does not list. */
function reportUnlisted(
  indexes: readonly number[],
  lines: ReadonlyMap<number, EpisodeLine>,
  tree: SourceTree,
  notes: FindingCollector,
): void {
  const unlisted = indexes.filter((episode) => !lines.has(episode));
  if (unlisted.length === 0 || !tree.has(source)) return;
  notes.addFinding(
    createLeRobotViolation(
      'v2',
      'episode_unlisted',
      source,
      `data files of episodes that are not listed in ${source}: ${unlisted.length} (episodes ${listText(unlisted)}); LeRobot loads them as well`,
    ),
  );
}

/** Indexes files by the episode number in their name. */
function indexFilesByEpisode(tree: SourceTree, pattern: RegExp): Map<number, string> {
  const found = new Map<number, string>();
  for (const file of tree.files) {
    const match = pattern.exec(file.path);
    if (match !== null && !found.has(Number(match[1]))) found.set(Number(match[1]), file.path);
  }
  return found;
}

/** Indexes video files by camera and episode number. */
function indexVideosByEpisode(
  tree: SourceTree,
  cameras: readonly string[],
): Map<string, Map<number, string>> {
  const found = new Map(cameras.map((camera) => [camera, new Map<number, string>()]));
  for (const file of tree.files) {
    const match = /^videos\/.*?episode_(\d+)\.(?:mp4|mkv|mov|webm|avi)$/i.exec(file.path);
    if (match === null) continue;
    const camera = file.path.split('/').find((segment) => found.has(segment));
    const files = camera === undefined ? undefined : found.get(camera);
    if (files !== undefined && !files.has(Number(match[1]))) files.set(Number(match[1]), file.path);
  }
  return found;
}

/** Collects files that are not where the path templates of info.json point. */
class MisplacedFiles {
  readonly #first = new Map<string, { declared: string; found: string; files: Set<string> }>();

  add(template: string, declared: string, found: string): void {
    const known = this.#first.get(template);
    if (known === undefined) this.#first.set(template, { declared, found, files: new Set([found]) });
    else known.files.add(found);
  }

  report(notes: FindingCollector): void {
    for (const [template, { declared, found, files }] of this.#first) {
      notes.addFinding(
        createLeRobotViolation(
          'v2',
          'path_template_wrong',
          'meta/info.json',
          `${template} in meta/info.json does not match ${files.size} existing ${files.size === 1 ? 'file' : 'files'}: expected ${declared}, found ${found}`,
        ),
      );
    }
  }
}
