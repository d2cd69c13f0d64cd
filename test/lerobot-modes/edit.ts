import { rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columnsOf, statisticsOf } from './lay-out.ts';
import type { RecordedEpisode } from './recording.ts';
import { type Entry, entryV2, entryV3, pool, pooled } from './statistics.ts';
import type { DataFile, DataRow, Statistics, VideoFile, WrittenSet } from './written-set.ts';

/** The rows recorded in an episode, whatever they say of themselves. */
export function rowsOf(set: WrittenSet, episode: number): DataRow[] {
  return set.data.flatMap((file) => file.rows.filter((row) => row.truth.episode === episode));
}

export function dataFileOf(set: WrittenSet, episode: number): DataFile {
  return set.data.find((file) => file.rows.some((row) => row.truth.episode === episode))!;
}

/** The video that holds an episode's pictures of a camera. */
export function videoOf(set: WrittenSet, episode: number, camera: number): VideoFile {
  const key = set.recording.cameras[camera];
  return set.videos.find(
    (file) => file.camera === key && file.clips.some((clip) => clip.episode === episode),
  )!;
}

export function clipOf(set: WrittenSet, episode: number, camera: number) {
  return videoOf(set, episode, camera).clips.find((clip) => clip.episode === episode)!;
}

/** v3: windows as a recorder counts them that believes the video: clip after clip. */
export function countWindows(set: WrittenSet, file: VideoFile): void {
  if (set.version === 'v2.1') return;
  let before = 0;
  for (const { episode, shots } of file.clips) {
    const row = set.episodes[episode];
    row[`videos/${file.camera}/from_timestamp`] = before / set.info.fps;
    before += shots.length;
    row[`videos/${file.camera}/to_timestamp`] = before / set.info.fps;
  }
}

/** v3: moves one window of an episode by seconds. */
export function moveWindow(set: WrittenSet, episode: number, camera: string, by_s: number): void {
  const row = set.episodes[episode];
  for (const end of ['from', 'to']) {
    const key = `videos/${camera}/${end}_timestamp`;
    row[key] = Number(row[key]) + by_s;
  }
}

/** Keeps the rows of an episode whose number passes. */
export function keepRows(episode: RecordedEpisode, keep: (row: number) => boolean): void {
  const kept = Array.from({ length: episode.rows }, (_, row) => row).filter(keep);
  orderRows(episode, kept);
}

/** The episode's rows in another order, some perhaps twice. */
export function orderRows(episode: RecordedEpisode, order: readonly number[]): void {
  const pickRows = (values: Float32Array): Float32Array => {
    const width = values.length / episode.rows;
    const out = new Float32Array(order.length * width);
    order.forEach((from, to) => {
      out.set(values.subarray(from * width, (from + 1) * width), to * width);
    });
    return out;
  };
  episode.state = pickRows(episode.state);
  episode.action = pickRows(episode.action);
  episode.shots = episode.shots.map((shots) => order.map((from) => shots[from]));
  episode.rows = order.length;
}

/** Statistics of an episode, to be changed in place by `change`. */
export function changeStatistics(
  set: WrittenSet,
  episode: number,
  change: (key: string, entry: Entry) => void,
): void {
  if (set.version === 'v2.1') {
    const { stats } = set.episodeStats[episode];
    for (const [key, entry] of Object.entries(stats)) change(key, entry);
    return;
  }
  const row = set.episodes[episode];
  const keys = Object.keys(row).filter((name) => name.startsWith('stats/'));
  for (const key of new Set(keys.map((name) => name.split('/')[1]))) {
    const own = keys.filter((name) => name.split('/')[1] === key);
    const entry: Entry = Object.fromEntries(own.map((name) => [name.split('/')[2], row[name]]));
    change(key, entry);
    for (const [name, value] of Object.entries(entry)) row[`stats/${key}/${name}`] = value;
  }
}

/** Computes an episode's statistics anew from its rows, as the recorder that wrote these rows would have. */
export function restate(set: WrittenSet, episode: number): void {
  const { recording, studio, version } = set;
  const fresh = statisticsOf(recording, recording.episodes[episode], rowsOf(set, episode), version, studio);
  changeStatistics(set, episode, (key, entry) => Object.assign(entry, fresh[key]));
  repool(set);
}

/** Statistics of a column that was added to the rows. */
export function stateColumn(set: WrittenSet, key: string): void {
  const entryOf = set.version === 'v2.1' ? entryV2 : entryV3;
  const entries = set.episodes.map((row, episode) => {
    const entry = entryOf(columnsOf(rowsOf(set, episode), key), 'float32');
    if (set.version === 'v2.1') set.episodeStats[episode].stats[key] = entry;
    else for (const [name, value] of Object.entries(entry)) row[`stats/${key}/${name}`] = value;
    return entry;
  });
  if (set.stats !== null) set.stats[key] = pool(entries);
}

/** v3: meta/stats.json from the episodes' statistics. */
export function repool(set: WrittenSet): void {
  if (set.stats === null || set.version === 'v2.1') return;
  const parts: Statistics[] = set.episodes.map((_, episode) => {
    const own: Statistics = {};
    changeStatistics(set, episode, (key, entry) => {
      own[key] = { ...entry };
    });
    return own;
  });
  set.stats = pooled(parts);
}

/** Cuts a file to a share of its bytes once it is written. */
export function cut(set: WrittenSet, path: string, to: (bytes: number) => number): void {
  set.after.push(async (folder) => {
    const file = join(folder, path);
    await truncate(file, to((await stat(file)).size));
  });
}

export function remove(set: WrittenSet, path: string): void {
  set.after.push((folder) => rm(join(folder, path)));
}

export function replace(set: WrittenSet, path: string, content: string): void {
  set.after.push((folder) => writeFile(join(folder, path), content));
}
