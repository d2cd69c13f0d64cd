import { countPhrase, listText } from '#core';
import type { FindingCollector } from '../../metadata/finding-collector.ts';
import { flattenNames, infoPath, type LeRobotInfo } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { createLeRobotViolation } from '../../rules/contract.ts';
import { reportCameras } from '../camera-features.ts';
import { listDataFilesV3 } from '../episodes/units-v3.ts';

/**
 * Adds findings on totals, chunks, splits, fps, names, cameras and language columns of info.json that contradict the
 * files and tables, or the library; reads no data.
 */
export function compareDeclared(set: LeRobotSet, notes: FindingCollector): void {
  const { info, episodes, tree } = set;
  const videos = tree.files.filter((file) => /^videos\/.*\.(mp4|mkv|mov|webm|avi)$/i.test(file.path));
  compareTotalEpisodes(set, notes);
  reportCount(notes, 'total_videos', info.total_videos, videos.length, 'video file');
  if (set.tasks !== null)
    reportCount(notes, 'total_tasks', info.total_tasks, set.tasks.byIndex.size, 'task', 'listed');
  compareChunks(set, notes);
  compareSplits(info, episodes.count, notes);
  if (info.fps === null) {
    notes.addFinding(
      createLeRobotViolation(set.layout, 'fps_missing', infoPath, `fps is missing or invalid in ${infoPath}`),
    );
  }
  reportNames(set, notes);
  reportLanguage(set, notes);
  reportStagingPictures(set, notes);
  reportCameras(set, notes);
}

/** Reports a wrong total_episodes. */
function compareTotalEpisodes({ info, layout, episodes }: LeRobotSet, notes: FindingCollector): void {
  const declared = info.total_episodes;
  const found = episodes.count;
  if (declared === null || declared === found) return;
  const id = declared > found ? 'total_episodes_too_high' : 'total_episodes_too_low';
  const message = `total_episodes is ${declared} in ${infoPath}, but ${found} episodes are listed or have data`;
  notes.addFinding(createLeRobotViolation(layout, id, infoPath, message, { declared, found }));
}

/** Reports too few or too many dimension names; names of axes are accepted. */
function reportNames({ features, layout }: LeRobotSet, notes: FindingCollector): void {
  for (const { key, dtype, shape, names, raw_names } of features.values()) {
    const dims = shape.reduce((product, size) => product * size, 1);
    const flattened = flattenNames(raw_names);
    if (dtype === 'video' || dtype === 'image' || names !== null || flattened === null || dims === 0)
      continue;
    if (shape.length > 1 && flattened.length === shape.length) continue;
    const message = `${key} has ${flattened.length} names, but ${dims} dimensions`;
    notes.addFinding(createLeRobotViolation(layout, 'names_too_few', infoPath, message));
  }
}

/** Reports language columns, which older LeRobot releases cannot read. */
function reportLanguage({ features, layout }: LeRobotSet, notes: FindingCollector): void {
  const columns = [...features.values()].filter(({ dtype }) => dtype === 'language').map(({ key }) => key);
  if (columns.length === 0) return;
  const message = `columns with dtype language, which requires LeRobot 0.6 or newer: ${columns.join(', ')}`;
  notes.addFinding(createLeRobotViolation(layout, 'language_columns', infoPath, message));
}

/** Reports pictures of unfinished takes in images/. */
function reportStagingPictures({ tree, features, layout }: LeRobotSet, notes: FindingCollector): void {
  if ([...features.values()].some(({ dtype }) => dtype === 'image')) return;
  const left = tree.files.filter(({ path }) => /^images\/.*\.(png|jpe?g)$/i.test(path));
  if (left.length === 0) return;
  const message = `${countPhrase(left.length, 'images')} of an unfinished take left in images/, for example ${left[0].path}`;
  notes.addFinding(createLeRobotViolation(layout, 'pictures_left_behind', 'images', message));
}

/** Reports a declared count that differs from the number found. */
function reportCount(
  notes: FindingCollector,
  key: string,
  declared: number | null,
  found: number,
  noun: string,
  where = 'present',
): void {
  if (declared === null || declared === found) return;
  notes.add(
    'metadata_count_mismatch',
    'warning',
    infoPath,
    `${key} is ${declared} in ${infoPath}, but ${found === 1 ? `1 ${noun} is` : `${found} ${noun}s are`} ${where}`,
    'correct the number, or restore what is missing',
    { key, declared, found },
  );
}

/** Reports a wrong total_chunks. */
function compareChunks(set: LeRobotSet, notes: FindingCollector): void {
  const folders = new Set(set.tree.files.flatMap((file) => /^data\/([^/]+)\//.exec(file.path)?.[1] ?? []));
  if (folders.size > 0)
    reportCount(notes, 'total_chunks', set.info.total_chunks, folders.size, 'chunk folder');
}

/** Reports splits beyond the number of episodes. */
function compareSplits(info: LeRobotInfo, episodes: number, notes: FindingCollector): void {
  for (const [name, range] of Object.entries(info.splits)) {
    const match = typeof range === 'string' ? /^(\d+):(\d+)$/.exec(range) : null;
    if (match === null || Number(match[2]) <= episodes) continue;
    notes.add(
      'metadata_count_mismatch',
      'warning',
      infoPath,
      `split ${name} is ${range}, but the dataset has ${episodes} episodes`,
      'correct the split',
      { key: `splits.${name}`, declared: Number(match[2]), found: episodes },
    );
  }
}

/** Adds one finding with all video files that listed episodes use and that are missing; none if all exist. */
export function reportMissingVideos(set: LeRobotSet, notes: FindingCollector): void {
  const missing = new Set<string>();
  for (let row = 0; row < set.episodes.count; row++) {
    for (const camera of set.cameras) {
      const span = set.episodes.video(row, camera.key);
      if (span !== null && !set.tree.has(span.path)) missing.add(span.path);
    }
  }
  if (missing.size === 0) return;
  notes.addFinding(
    createLeRobotViolation(
      set.layout,
      'videos_missing',
      'videos',
      `${countPhrase(missing.size, 'video files are missing')}: ${listText([...missing], 4)}${describeOtherFolder(set)}`,
      { missing: [...missing].slice(0, 1000) },
    ),
  );
}

/** Describes a folder of videos with another name than videos/; empty if there is none. */
function describeOtherFolder({ tree }: LeRobotSet): string {
  if (tree.files.some(({ path }) => path.startsWith('videos/'))) return '';
  const other = tree.files.find(({ path }) => /^(video|vids|videos)\/.*\.mp4$/i.test(path));
  if (other === undefined) return '';
  const name = other.path.slice(0, other.path.indexOf('/'));
  return `; found a folder ${name}/ with videos, rename it to videos/`;
}

/**
 * Adds one finding with all data and video files that no listed episode uses, and one with data files that are not
 * exactly two folders deep (v3).
 */
export function reportUnreferenced(set: LeRobotSet, notes: FindingCollector): void {
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
      `${countPhrase(spare.length, 'files do not belong to any listed episode')}: ${listText(spare, 4)}`,
      'add their episodes to the episode table, or remove the files',
    );
  }
  if (set.layout === 'v3') reportMisplacedData(set, notes);
}

/** Reports data files that are not exactly two folders deep (v3). */
function reportMisplacedData(set: LeRobotSet, notes: FindingCollector): void {
  const read = new Set(listDataFilesV3(set.tree));
  const ignored = set.tree.files
    .map((file) => file.path)
    .filter((path) => /^data\/.*\.parquet$/i.test(path) && (!read.has(path) || path.split('/').length !== 3));
  if (ignored.length === 0) return;
  notes.addFinding(
    createLeRobotViolation(
      'v3',
      'data_file_misplaced',
      'data',
      `${countPhrase(ignored.length, 'data files are not in data/<chunk>/')}, where LeRobot looks: ${listText(ignored, 4)}`,
    ),
  );
}

/**
 * Adds findings per shared video file whose windows overlap or do not start at 0; single episodes have their own
 * findings.
 */
export function reportWindows(set: LeRobotSet, notes: FindingCollector): void {
  for (const { key } of set.cameras) {
    for (const { path, episodes } of set.windows(key)?.notReset ?? []) {
      notes.addFinding(
        createLeRobotViolation(
          set.layout,
          'video_windows_not_reset',
          path,
          `the video time ranges of all ${episodes.length} episodes in ${path} continue from the end of the previous file instead of starting at 0, from episode ${episodes[0]} on: all of their rows are paired with wrong frames or none`,
          { camera: key, episodes: episodes.slice(0, 200) },
        ),
      );
    }
    reportOverlaps(set, key, notes);
  }
}

/** A window in a video file, in seconds. */
interface EpisodeWindow {
  readonly from: number;
  readonly to: number;
  readonly episode: number;
}

/** Reports overlapping windows of a file; the displaced episodes are named. */
function reportOverlaps(set: LeRobotSet, camera: string, notes: FindingCollector): void {
  const displaced = set.windows(camera)?.findings;
  if (displaced === undefined) return;
  const tolerance_s = 0.5 / (set.info.fps ?? 30);
  for (const [path, windows] of windowsByFile(set, camera)) {
    windows.sort((a, b) => a.from - b.from);
    let clash = 0;
    const named = new Set<number>();
    windows.forEach((window, at) => {
      if (at === 0 || window.from >= windows[at - 1].to - tolerance_s) return;
      clash += 1;
      const own = [window.episode, windows[at - 1].episode].filter((episode) => displaced.has(episode));
      for (const episode of own.length > 0 ? own : [window.episode]) named.add(episode);
    });
    if (clash === 0) continue;
    notes.addFinding(
      createLeRobotViolation(
        set.layout,
        'video_spans_overlap',
        path,
        `${named.size} of ${windows.length} episodes use frames of ${path} that another episode also uses: ${listText([...named])}`,
        { camera, episodes: [...named].slice(0, 200) },
      ),
    );
  }
}

function windowsByFile({ episodes }: LeRobotSet, camera: string): Map<string, EpisodeWindow[]> {
  const files = new Map<string, EpisodeWindow[]>();
  for (let row = 0; row < episodes.count; row++) {
    const span = episodes.video(row, camera);
    if (span === null || span.to_s === null) continue;
    const window = { from: span.from_s, to: span.to_s, episode: episodes.index[row] };
    const known = files.get(span.path);
    if (known === undefined) files.set(span.path, [window]);
    else known.push(window);
  }
  return files;
}
