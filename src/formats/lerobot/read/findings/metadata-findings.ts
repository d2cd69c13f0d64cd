import { enumerate } from '#core';
import { infoPath, type LeRobotInfo, namesIn } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import type { Notes } from '../../metadata/notes.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import { reportCameras } from '../cameras/camera-features.ts';
import { dataFilesV3 } from '../episodes/units-v3.ts';

/** What the set declares against what lies there, by names and tables alone. */
export function compareDeclared(set: LeRobotSet, notes: Notes): void {
  const { info, episodes, tree } = set;
  const videos = tree.files.filter((file) => /^videos\/.*\.(mp4|mkv|mov|webm|avi)$/i.test(file.path));
  compareTotalEpisodes(set, notes);
  countMismatch(notes, 'total_videos', info.total_videos, videos.length, 'video file');
  if (set.tasks !== null)
    countMismatch(notes, 'total_tasks', info.total_tasks, set.tasks.byIndex.size, 'task', 'listed');
  compareChunks(set, notes);
  compareSplits(info, episodes.count, notes);
  if (info.fps === null) {
    notes.put(lerobotBreach(set.layout, 'fps_missing', infoPath, `${infoPath} gives no usable fps`));
  }
  reportNames(set, notes);
  reportLanguage(set, notes);
  reportLeftPictures(set, notes);
  reportCameras(set, notes);
}

function compareTotalEpisodes({ info, layout, episodes }: LeRobotSet, notes: Notes): void {
  const declared = info.total_episodes;
  const found = episodes.count;
  if (declared === null || declared === found) return;
  const id = declared > found ? 'total_episodes_too_high' : 'total_episodes_too_low';
  const message = `${infoPath} says total_episodes ${declared}; ${found} episodes are listed or have data`;
  notes.put(lerobotBreach(layout, id, infoPath, message, { declared, found }));
}

/** Names that do not fit the dimensions; those of axes instead of numbers are another way to name. */
function reportNames({ features, layout }: LeRobotSet, notes: Notes): void {
  for (const { key, dtype, shape, names, raw_names } of features.values()) {
    const dims = shape.reduce((product, size) => product * size, 1);
    const said = namesIn(raw_names);
    if (dtype === 'video' || dtype === 'image' || names !== null || said === null || dims === 0) continue;
    if (shape.length > 1 && said.length === shape.length) continue;
    const message = `${key} has ${said.length} names for ${dims} dimensions`;
    notes.put(lerobotBreach(layout, 'names_too_few', infoPath, message));
  }
}

function reportLanguage({ features, layout }: LeRobotSet, notes: Notes): void {
  const columns = [...features.values()].filter(({ dtype }) => dtype === 'language').map(({ key }) => key);
  if (columns.length === 0) return;
  const message = `${columns.join(' and ')} hold language, which LeRobot reads from release 0.6 on`;
  notes.put(lerobotBreach(layout, 'language_columns', infoPath, message));
}

function reportLeftPictures({ tree, features, layout }: LeRobotSet, notes: Notes): void {
  if ([...features.values()].some(({ dtype }) => dtype === 'image')) return;
  const left = tree.files.filter(({ path }) => /^images\/.*\.(png|jpe?g)$/i.test(path));
  if (left.length === 0) return;
  const message = `${left.length} pictures of an unfinished take lie in images/, ${left[0].path} for one`;
  notes.put(lerobotBreach(layout, 'pictures_left_behind', 'images', message));
}

function countMismatch(
  notes: Notes,
  key: string,
  declared: number | null,
  found: number,
  noun: string,
  where = 'there',
): void {
  if (declared === null || declared === found) return;
  notes.add(
    'metadata_count_mismatch',
    'warning',
    infoPath,
    `${infoPath} says ${key} ${declared}; ${found === 1 ? `1 ${noun} is` : `${found} ${noun}s are`} ${where}`,
    'correct the number, or restore what is missing',
    { key, declared, found },
  );
}

function compareChunks(set: LeRobotSet, notes: Notes): void {
  const folders = new Set(set.tree.files.flatMap((file) => /^data\/([^/]+)\//.exec(file.path)?.[1] ?? []));
  if (folders.size > 0)
    countMismatch(notes, 'total_chunks', set.info.total_chunks, folders.size, 'chunk folder');
}

function compareSplits(info: LeRobotInfo, episodes: number, notes: Notes): void {
  for (const [name, range] of Object.entries(info.splits)) {
    const match = typeof range === 'string' ? /^(\d+):(\d+)$/.exec(range) : null;
    if (match === null || Number(match[2]) <= episodes) continue;
    notes.add(
      'metadata_count_mismatch',
      'warning',
      infoPath,
      `split ${name} is ${range}; there are ${episodes} episodes`,
      'correct the split',
      { key: `splits.${name}`, declared: Number(match[2]), found: episodes },
    );
  }
}

/** Videos that the episodes name and that are absent. */
export function reportMissingVideos(set: LeRobotSet, notes: Notes): void {
  const missing = new Set<string>();
  for (let row = 0; row < set.episodes.count; row++) {
    for (const camera of set.cameras) {
      const span = set.episodes.video(row, camera.key);
      if (span !== null && !set.tree.has(span.path)) missing.add(span.path);
    }
  }
  if (missing.size === 0) return;
  notes.put(
    lerobotBreach(
      set.layout,
      'videos_missing',
      'videos',
      `${missing.size} video files are missing: ${enumerate([...missing], 4)}${otherFolder(set)}`,
      { missing: [...missing].slice(0, 1000) },
    ),
  );
}

/** The folder of videos under another name. */
function otherFolder({ tree }: LeRobotSet): string {
  if (tree.files.some(({ path }) => path.startsWith('videos/'))) return '';
  const other = tree.files.find(({ path }) => /^(video|vids|videos)\/.*\.mp4$/i.test(path));
  if (other === undefined) return '';
  const name = other.path.slice(0, other.path.indexOf('/'));
  return `; there is a folder ${name}/ with videos, which must be called videos/`;
}

/** Files below data and videos that no episode refers to. */
export function reportUnreferenced(set: LeRobotSet, notes: Notes): void {
  const used = new Set<string>();
  for (let row = 0; row < set.episodes.count; row++) {
    const data = set.episodes.dataPath(row);
    if (data !== null) used.add(data);
    for (const feature of set.features.values()) {
      const span = feature.dtype === 'video' ? set.episodes.video(row, feature.key) : null;
      if (span !== null) used.add(span.path);
    }
  }
  const spare = set.tree.files
    .map((file) => file.path)
    .filter((path) => /^(data|videos)\/.*\.(parquet|mp4|mkv|mov|webm|avi)$/i.test(path) && !used.has(path));
  if (spare.length > 0) {
    notes.add(
      'file_unreferenced',
      'warning',
      null,
      `${spare.length} files belong to no listed episode: ${enumerate(spare, 4)}`,
      'list their episodes, or take the files out',
    );
  }
  if (set.layout === 'v3') reportDepth(set, notes);
}

function reportDepth(set: LeRobotSet, notes: Notes): void {
  const read = new Set(dataFilesV3(set.tree));
  const ignored = set.tree.files
    .map((file) => file.path)
    .filter((path) => /^data\/.*\.parquet$/i.test(path) && (!read.has(path) || path.split('/').length !== 3));
  if (ignored.length === 0) return;
  notes.put(
    lerobotBreach(
      'v3',
      'data_file_misplaced',
      'data',
      `${ignored.length} data files do not lie exactly two folders deep, where the library looks: ${enumerate(ignored, 4)}`,
    ),
  );
}
