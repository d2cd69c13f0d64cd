import { significant } from '#core';
import type { Finding } from '#core/episode';
import { lerobotBreach } from '../../rules/contract.ts';
import type { EpisodeTable } from '../episodes/episode-table.ts';
import { displacedWindows, halfFrame, type PlacedWindow } from './window-order.ts';

/** Where an episode of a v3 set lies in a video file, in frames of that file. */
interface Window extends PlacedWindow {
  readonly episode: number;
  readonly path: string;
  readonly from_s: number;
}

/** Windows of one camera: what is wrong with them by the table alone, and where frames of the next episode begin. */
export interface CameraWindows {
  /** By episode. */
  readonly findings: ReadonlyMap<number, Finding>;
  /** Files whose windows count on from the file before, and their episodes. */
  readonly notReset: readonly { readonly path: string; readonly episodes: readonly number[] }[];
  /** Start of the first window in the file that begins after this time, seconds; null for none. */
  startAfter(path: string, from_s: number): number | null;
}

/** Neighbours looked at for the one whose frames a window claims. */
const searched = 1000;

function windowsOf(table: EpisodeTable, camera: string, fps: number | null): CameraWindows {
  const files = filesOf(table, camera, fps);
  const findings = new Map<number, Finding>();
  const notReset: { path: string; episodes: number[] }[] = [];
  let endBefore: number | null = null;
  for (const [path, windows] of files) {
    const [first] = windows;
    const last = windows[windows.length - 1];
    const isOn = endBefore !== null && first.from > halfFrame && Math.abs(first.from - endBefore) < halfFrame;
    if (isOn) notReset.push({ path, episodes: windows.map(({ episode }) => episode) });
    for (const window of isOn ? windows : []) findings.set(window.episode, countedOn(camera, window));
    for (const at of isOn ? [] : displacedWindows(windows)) {
      findings.set(windows[at].episode, foreign(camera, windows, at));
    }
    endBefore = last.from + last.width;
  }
  return { findings, notReset, startAfter: startsOf(files) };
}

function filesOf(table: EpisodeTable, camera: string, fps: number | null): Map<string, Window[]> {
  const rate_hz = windowRate(table, camera, fps);
  const files = new Map<string, Window[]>();
  for (let row = 0; row < table.count; row++) {
    const span = table.video(row, camera);
    if (span === null) continue;
    const length = table.length[row];
    const width = span.to_s === null ? Math.max(0, length) : (span.to_s - span.from_s) * rate_hz;
    const window: Window = {
      episode: table.index[row],
      path: span.path,
      from_s: span.from_s,
      from: span.from_s * rate_hz,
      width,
      rows: length < 0 ? Math.round(width) : length,
    };
    const known = files.get(span.path);
    if (known === undefined) files.set(span.path, [window]);
    else known.push(window);
  }
  return files;
}

/** Rate that windows were written with: fps, or another where windows and lengths agree on one (fps declared wrongly). */
function windowRate(table: EpisodeTable, camera: string, fps: number | null): number {
  const rates: number[] = [];
  for (let row = 0; row < table.count && rates.length < 1000; row++) {
    const span = table.video(row, camera);
    if (span === null || span.to_s === null || table.length[row] <= 0) continue;
    rates.push(table.length[row] / (span.to_s - span.from_s));
  }
  if (rates.length === 0) return fps ?? 30;
  const middle = rates.sort((a, b) => a - b)[rates.length >> 1];
  return fps !== null && Math.abs(middle / fps - 1) < 0.002 ? fps : Math.round(middle * 1000) / 1000;
}

function startsOf(files: ReadonlyMap<string, readonly Window[]>): CameraWindows['startAfter'] {
  const sorted = new Map<string, Float64Array>();
  return (path, from_s) => {
    let starts = sorted.get(path);
    if (starts === undefined) {
      starts = Float64Array.from(files.get(path) ?? [], (window) => window.from_s).sort();
      sorted.set(path, starts);
    }
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= from_s) low = middle + 1;
      else high = middle;
    }
    return low < starts.length ? starts[low] : null;
  };
}

function countedOn(camera: string, { path, from_s }: Window): Finding {
  return lerobotBreach(
    'v3',
    'video_window_not_reset',
    path,
    `${camera} starts at ${significant(from_s, 9)} s of ${path}: its window continues from the end of the previous file`,
  );
}

/** Names the episode whose frames it claims, where there is one. */
function foreign(camera: string, windows: readonly Window[], at: number): Finding {
  const { path, from_s, from, width, episode } = windows[at];
  const near = windows.slice(Math.max(0, at - searched), at + searched);
  const owner = near.find(
    (other) =>
      other !== windows[at] &&
      from < other.from + other.width - halfFrame &&
      other.from < from + width - halfFrame,
  );
  const whose =
    owner === undefined
      ? 'not where the episodes before it end'
      : `among the frames of episode ${owner.episode}`;
  return lerobotBreach(
    'v3',
    'video_window_foreign',
    path,
    `${camera} of episode ${episode} starts at ${significant(from_s, 9)} s of ${path}, ${whose}: its rows get the wrong pictures`,
    { camera, from_s: significant(from_s, 9) },
  );
}

/** Windows by camera, worked out when first asked for; null for sets with one file an episode. */
export function lazyWindows(
  table: EpisodeTable,
  layout: 'v2' | 'v3',
  fps: number | null,
): (camera: string) => CameraWindows | null {
  const known = new Map<string, CameraWindows>();
  return (camera) => {
    if (layout === 'v2') return null;
    let windows = known.get(camera);
    if (windows === undefined) {
      windows = windowsOf(table, camera, fps);
      known.set(camera, windows);
    }
    return windows;
  };
}
