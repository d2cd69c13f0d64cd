import { significant } from '#core';
import type { Finding } from '#core/episode';
import { lerobotBreach } from '../../rules/contract.ts';
import type { EpisodeTable } from '../episodes/episode-table.ts';

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

/** A window in frames of its file. */
interface PlacedWindow {
  /** Where it begins. */
  readonly from: number;
  /** How long it says it is. */
  readonly width: number;
  /** Rows of its episode. */
  readonly rows: number;
}

/** Half a frame: what two windows may differ by and still mean the same frames. */
const halfFrame = 0.5;
/** A window that lies where the ones before it end counts for more than one that only does not overlap. */
const linked = 1.01;

/**
 * Windows of one file, in the order of their episodes, that do not lie at their place: those outside the best chain of
 * windows each of which begins behind the one before. Windows may leave frames out. Files in which most windows lie in
 * another order, without overlap and each as long as its rows, were written in that order.
 */
export function displacedWindows(windows: readonly PlacedWindow[]): number[] {
  if (inOrder(windows)) return [];
  const kept = bestChain(windows);
  const displaced = windows.flatMap((_, at) => (kept.has(at) ? [] : [at]));
  return displaced.length * 2 > windows.length && areTiles(windows) ? [] : displaced;
}

function inOrder(windows: readonly PlacedWindow[]): boolean {
  let end = 0;
  let counted = 0;
  return windows.every(({ from, width, rows }) => {
    const fits = Math.abs(from - end) < halfFrame || Math.abs(from - counted) < halfFrame;
    end = from + width;
    counted = from + rows;
    return fits;
  });
}

function areTiles(windows: readonly PlacedWindow[]): boolean {
  const sorted = windows.toSorted((a, b) => a.from - b.from);
  return sorted.every(
    ({ from, width, rows }, at) =>
      Math.abs(width - rows) < halfFrame &&
      (at === 0 || from > sorted[at - 1].from + sorted[at - 1].width - halfFrame),
  );
}

/** Positions in the chain with the greatest worth. */
function bestChain(windows: readonly PlacedWindow[]): Set<number> {
  const worth = new Float64Array(windows.length);
  const previous = new Int32Array(windows.length).fill(-1);
  const ended = new GreatestBefore(windows.map(({ from, width }) => from + width));
  /** By how far a window lies from where the rows before it would put it: the best chain that the next one continues. */
  const continues = new Map<number, { worth: number; at: number }>([[0, { worth: 0, at: -1 }]]);
  let before = 0;
  windows.forEach(({ from, width, rows }, at) => {
    const offset = Math.round(from - before);
    const behind = ended.upTo(from + halfFrame, worth);
    const chained = continues.get(offset);
    const isLinked = chained !== undefined && chained.worth + linked >= (behind < 0 ? 0 : worth[behind]);
    previous[at] = isLinked ? chained.at : behind;
    worth[at] = 1 + (isLinked ? chained.worth + linked : behind < 0 ? 0 : worth[behind]);
    ended.add(at, worth);
    for (const next of new Set([offset, offset + Math.round(width - rows)])) {
      const known = continues.get(next);
      if (known === undefined || known.worth < worth[at]) continues.set(next, { worth: worth[at], at });
    }
    before += rows;
  });
  const chain = new Set<number>();
  let at = worth.reduce((best, value, place) => (value > worth[best] ? place : best), 0);
  for (; at >= 0; at = previous[at]) chain.add(at);
  return chain;
}

/** Finds the worthiest of the windows added that end at or before a place (a Fenwick tree over their ends). */
class GreatestBefore {
  readonly #ends: Float64Array;
  readonly #rank: Int32Array;
  readonly #best: Int32Array;

  constructor(ends: readonly number[]) {
    const order = ends.map((_, at) => at).sort((a, b) => ends[a] - ends[b]);
    this.#ends = Float64Array.from(order, (at) => ends[at]);
    this.#rank = new Int32Array(ends.length);
    order.forEach((at, rank) => {
      this.#rank[at] = rank;
    });
    this.#best = new Int32Array(ends.length + 1).fill(-1);
  }

  add(at: number, worth: Float64Array): void {
    for (let node = this.#rank[at] + 1; node < this.#best.length; node += node & -node)
      if (this.#best[node] < 0 || worth[this.#best[node]] < worth[at]) this.#best[node] = at;
  }

  /** Position of the worthiest; −1 when none ends there. */
  upTo(end: number, worth: Float64Array): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle] <= end) low = middle + 1;
      else high = middle;
    }
    let found = -1;
    for (let node = low; node > 0; node -= node & -node) {
      const at = this.#best[node];
      if (at >= 0 && (found < 0 || worth[at] > worth[found])) found = at;
    }
    return found;
  }
}
