import { infoPath, type LeRobotInfo } from './info.ts';
import type { LeRobotSet } from './lerobot-set.ts';
import { enumerate, type Notes } from './notes.ts';
import { dataFilesV3 } from './units-v3.ts';

/** What the set declares against what lies there, by names and tables alone. */
export function compareDeclared(set: LeRobotSet, notes: Notes): void {
  const { info, episodes, tree } = set;
  const videos = tree.files.filter((file) => /^videos\/.*\.(mp4|mkv|mov|webm|avi)$/i.test(file.path));
  countMismatch(
    notes,
    'total_episodes',
    info.total_episodes,
    episodes.count,
    'episodes are listed or have data',
  );
  let frames = 0;
  let known = true;
  for (const length of episodes.length) {
    if (length < 0) known = false;
    frames += length;
  }
  if (known)
    countMismatch(
      notes,
      'total_frames',
      info.total_frames,
      frames,
      'frames are listed in the table of episodes',
    );
  countMismatch(notes, 'total_videos', info.total_videos, videos.length, 'video files are there');
  if (set.tasks !== null)
    countMismatch(notes, 'total_tasks', info.total_tasks, set.tasks.byIndex.size, 'tasks are listed');
  compareChunks(set, notes);
  compareSplits(info, episodes.count, notes);
  if (info.fps === null) {
    notes.add(
      'fps_missing',
      'error',
      infoPath,
      `${infoPath} gives no usable fps`,
      'write the rate of the rows as fps',
    );
  }
  reportCameras(set, notes);
}

function countMismatch(
  notes: Notes,
  key: string,
  declared: number | null,
  found: number,
  what: string,
): void {
  if (declared === null || declared === found) return;
  notes.add(
    'metadata_count_mismatch',
    'error',
    infoPath,
    `${infoPath} says ${key} ${declared}; ${found} ${what}`,
    'correct the number, or restore what is missing: the library trusts it',
    { key, declared, found },
  );
}

function compareChunks(set: LeRobotSet, notes: Notes): void {
  const folders = new Set(set.tree.files.flatMap((file) => /^data\/([^/]+)\//.exec(file.path)?.[1] ?? []));
  if (folders.size > 0)
    countMismatch(notes, 'total_chunks', set.info.total_chunks, folders.size, 'chunk folders are there');
}

function compareSplits(info: LeRobotInfo, episodes: number, notes: Notes): void {
  for (const [name, range] of Object.entries(info.splits)) {
    const match = typeof range === 'string' ? /^(\d+):(\d+)$/.exec(range) : null;
    if (match === null || Number(match[2]) <= episodes) continue;
    notes.add(
      'metadata_count_mismatch',
      'error',
      infoPath,
      `split ${name} is ${range}; there are ${episodes} episodes`,
      'correct the split',
      { key: `splits.${name}`, declared: Number(match[2]), found: episodes },
    );
  }
}

const trainingOrder = [
  ['height', 'width', 'channels'],
  ['height', 'width', 'channel'],
];

function reportCameras(set: LeRobotSet, notes: Notes): void {
  for (const feature of set.features.values()) {
    if (feature.dtype !== 'video' && feature.dtype !== 'image') continue;
    const names = JSON.stringify(feature.raw_names);
    if (feature.shape.length !== 3) {
      notes.add(
        'camera_shape_wrong',
        'error',
        infoPath,
        `camera ${feature.key} has the shape [${feature.shape.join(', ')}]; training needs three numbers`,
        'write the shape as [height, width, channels]',
      );
    } else if (!trainingOrder.some((order) => JSON.stringify(order) === names)) {
      notes.add(
        'camera_names_wrong',
        'warning',
        infoPath,
        `camera ${feature.key} has the names ${names}: training takes the shape for channels first, or fails`,
        'write the names as ["height", "width", "channels"]',
      );
    }
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
  notes.add(
    'videos_missing',
    'error',
    'videos',
    `${missing.size} video files are missing: ${enumerate([...missing], 4)}`,
    'copy or download them; their episodes are judged without pictures',
    { missing: [...missing].slice(0, 1000) },
  );
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
  notes.add(
    'data_file_misplaced',
    'error',
    'data',
    `${ignored.length} data files do not lie exactly two folders deep, where the library looks: ${enumerate(ignored, 4)}`,
    'move them to data/chunk-000/',
  );
}

/** Episodes that claim the same stretch of one video. */
export function reportOverlaps(set: LeRobotSet, notes: Notes): void {
  if (set.layout !== 'v3') return;
  for (const camera of set.cameras) {
    const spans = new Map<string, { from: number; to: number; episode: number }[]>();
    for (let row = 0; row < set.episodes.count; row++) {
      const span = set.episodes.video(row, camera.key);
      if (span === null || span.to_s === null) continue;
      const entry = { from: span.from_s, to: span.to_s, episode: set.episodes.index[row] };
      const known = spans.get(span.path);
      if (known === undefined) spans.set(span.path, [entry]);
      else known.push(entry);
    }
    const tolerance_s = 0.5 / (set.info.fps ?? 30);
    for (const [path, list] of spans) {
      list.sort((a, b) => a.from - b.from);
      const clash = list.filter((entry, at) => at > 0 && entry.from < list[at - 1].to - tolerance_s);
      if (clash.length === 0) continue;
      notes.add(
        'video_spans_overlap',
        'error',
        path,
        `${clash.length} of ${list.length} episodes claim a stretch of ${path} that another episode claims too: ${enumerate(clash.map((entry) => entry.episode))}`,
        'write from_timestamp as frames before the episode in its file / fps',
      );
    }
  }
}
