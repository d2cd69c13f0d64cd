import { significant } from '#core';
import type { Finding } from '#core/episode';
import { createLeRobotViolation } from '../../rules/contract.ts';
import type { EpisodeTable } from '../episodes/episode-table.ts';

/** Window of an episode in a shared video file, in frames. */
interface Window extends PlacedWindow {
  readonly episode: number;
  readonly path: string;
  readonly from_s: number;
  readonly to_s: number;
}

/** Windows of one camera: their faults according to the table, and the start of the next episode. */
export interface CameraWindows {
  /** Findings by episode. */
  readonly findings: ReadonlyMap<number, Finding>;
  /** Files whose windows continue from the file before, with their episodes. */
  readonly notReset: readonly { readonly path: string; readonly episodes: readonly number[] }[];
  /** Returns the start of the first window in the file after this time, in seconds; null if there is none. */
  startAfter(path: string, from_s: number): number | null;
  /** End of the last window by file, in seconds; only files whose windows follow each other from 0 without gap or overlap. */
  readonly ends_s: ReadonlyMap<string, number>;
}

/** Maximum number of neighbours searched for the owner of claimed frames. */
const maxNeighbours = 1000;

function analyseWindows(table: EpisodeTable, camera: string, fps: number | null): CameraWindows {
  const files = groupByFile(table, camera, fps);
  const findings = new Map<number, Finding>();
  const notReset: { path: string; episodes: number[] }[] = [];
  const ends_s = new Map<string, number>();
  let endBefore: number | null = null;
  for (const [path, windows] of files) {
    const [first] = windows;
    const last = windows[windows.length - 1];
    if (isConsecutive(windows)) ends_s.set(path, last.to_s);
    const isOn = endBefore !== null && first.from > halfFrame && Math.abs(first.from - endBefore) < halfFrame;
    if (isOn) notReset.push({ path, episodes: windows.map(({ episode }) => episode) });
    for (const window of isOn ? windows : [])
      findings.set(window.episode, createNotResetFinding(camera, window));
    for (const at of isOn ? [] : findDisplacedWindows(windows)) {
      findings.set(windows[at].episode, createForeignFinding(camera, windows, at));
    }
    endBefore = last.from + last.width;
  }
  return { findings, notReset, startAfter: createStartLookup(files), ends_s };
}

function groupByFile(table: EpisodeTable, camera: string, fps: number | null): Map<string, Window[]> {
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
      to_s: span.from_s + width / rate_hz,
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

/**
 * Returns the rate with which windows were written: fps, or the common rate of windows and lengths if fps is declared
 * wrongly.
 */
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

/** Creates the lookup behind `startAfter`. */
function createStartLookup(files: ReadonlyMap<string, readonly Window[]>): CameraWindows['startAfter'] {
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

function createNotResetFinding(camera: string, { path, from_s }: Window): Finding {
  return createLeRobotViolation(
    'v3',
    'video_window_not_reset',
    path,
    `${camera} starts at ${significant(from_s, 9)} s in ${path}: its from_timestamp continues from the end of the previous file instead of starting at 0`,
  );
}

/** Creates the finding for a displaced window, naming the episode whose frames it claims if there is one. */
function createForeignFinding(camera: string, windows: readonly Window[], at: number): Finding {
  const { path, from_s, from, width, episode } = windows[at];
  const near = windows.slice(Math.max(0, at - maxNeighbours), at + maxNeighbours);
  const owner = near.find(
    (other) =>
      other !== windows[at] &&
      from < other.from + other.width - halfFrame &&
      other.from < from + width - halfFrame,
  );
  const whose =
    owner === undefined
      ? 'not at the end of the previous episode'
      : `among the frames of episode ${owner.episode}`;
  return createLeRobotViolation(
    'v3',
    'video_window_foreign',
    path,
    `${camera} of episode ${episode} starts at ${significant(from_s, 9)} s in ${path}, ${whose}: its rows are paired with the wrong frames`,
    { camera, from_s: significant(from_s, 9) },
  );
}

/** Creates a lookup of windows by camera, computed on first use; null for sets with one file per episode. */
export function createWindowCache(
  table: EpisodeTable,
  layout: 'v2' | 'v3',
  fps: number | null,
): (camera: string) => CameraWindows | null {
  const known = new Map<string, CameraWindows>();
  return (camera) => {
    if (layout === 'v2') return null;
    let windows = known.get(camera);
    if (windows === undefined) {
      windows = analyseWindows(table, camera, fps);
      known.set(camera, windows);
    }
    return windows;
  };
}

/** A window in frames of its file, with the rows of its episode. */
interface PlacedWindow {
  /** First frame. */
  readonly from: number;
  /** Declared length. */
  readonly width: number;
  /** Number of rows of the episode. */
  readonly rows: number;
}

/** Tolerance in frames within which two positions are the same frame. */
const halfFrame = 0.5;
/**
 * Worth of a window that begins where the ones before it end, compared with 1 for one that only does not overlap.
 */
const linkedWorth = 1.01;

/**
 * Returns the positions of displaced windows in the windows of one file, given in episode order: those outside the best
 * chain of windows that each begin after the one before. Gaps are allowed. Files in which most windows are in another
 * order, without overlap and with correct lengths, count as written in that order and have none.
 */
export function findDisplacedWindows(windows: readonly PlacedWindow[]): number[] {
  if (isConsecutive(windows)) return [];
  const kept = findBestChain(windows);
  const displaced = windows.flatMap((_, at) => (kept.has(at) ? [] : [at]));
  return displaced.length * 2 > windows.length && areTiles(windows) ? [] : displaced;
}

/** Returns true if each window begins where the ones before end, by window lengths or by rows. */
function isConsecutive(windows: readonly PlacedWindow[]): boolean {
  let end = 0;
  let counted = 0;
  return windows.every(({ from, width, rows }) => {
    const fits = Math.abs(from - end) < halfFrame || Math.abs(from - counted) < halfFrame;
    end = from + width;
    counted = from + rows;
    return fits;
  });
}

/** Returns true if the windows do not overlap and each is as long as its rows. */
function areTiles(windows: readonly PlacedWindow[]): boolean {
  const sorted = windows.toSorted((a, b) => a.from - b.from);
  return sorted.every(
    ({ from, width, rows }, at) =>
      Math.abs(width - rows) < halfFrame &&
      (at === 0 || from > sorted[at - 1].from + sorted[at - 1].width - halfFrame),
  );
}

/** Returns the positions of the chain with the greatest total worth. */
function findBestChain(windows: readonly PlacedWindow[]): Set<number> {
  const worth = new Float64Array(windows.length);
  const previous = new Int32Array(windows.length).fill(-1);
  const ended = new GreatestBefore(windows.map(({ from, width }) => from + width));
  /** Best chain by offset between a window and the rows before it, for windows that continue it. */
  const continues = new Map<number, { worth: number; at: number }>([[0, { worth: 0, at: -1 }]]);
  let before = 0;
  windows.forEach(({ from, width, rows }, at) => {
    const offset = Math.round(from - before);
    const behind = ended.upTo(from + halfFrame, worth);
    const chained = continues.get(offset);
    const isLinked = chained !== undefined && chained.worth + linkedWorth >= (behind < 0 ? 0 : worth[behind]);
    previous[at] = isLinked ? chained.at : behind;
    worth[at] = 1 + (isLinked ? chained.worth + linkedWorth : behind < 0 ? 0 : worth[behind]);
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

/** Finds the window of greatest worth that ends at or before a position (Fenwick tree over window ends). */
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

  /** Returns the position of the best window that ends at or before `end`; −1 if there is none. */
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
