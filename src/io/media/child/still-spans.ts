/** A frame of a coded video with what its picture looks like. */
export interface CodedFrame {
  readonly index: number;
  readonly time_s: number;
  /** Coded without reference to other frames. */
  readonly key: boolean;
  /** Changes of a cell up to this many levels may have been discarded by the encoder; see `discardedChanges`. */
  readonly discards_up_to: number;
  /** Mean luma of the cells of a 16 x 16 grid, row by row, in levels. */
  readonly blocks: Float32Array;
}

/** Positions of the first and the last frame that show one picture. */
export interface StillSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Largest difference of a cell, in levels, between two frames that show one picture: within a group of frames from key
 * frame to key frame, and between two such groups. In clips by x264, x265, SVT-AV1, libvpx, MPEG-4 and MJPEG at low
 * quality 99 % of them differ by less than 7 and all by less than 11; at medium quality 99 % by less than 3.
 */
export const maxChange = { same_group: 6, other_group: 12 } as const;
/** Distance of key frames up to which groups count as one, because all frames of theirs are close to a key frame. */
export const maxMergedGroup = 6;
/** A picture that stays the same for this long is still. */
const minStill_s = 0.2;
/** Shorter spans are not returned. */
const minSpan_s = 0.4;
/** Rounding of times in seconds. */
const slack_s = 1e-6;
/** Distance in frames from an end of a span to the frame whose picture the end is compared with. */
const innerFrames = 12;
/** Frames at the ends of a span that may still be refined or be in motion. */
const roughFrames = 3;
/** Number of frames within which an encoder codes a still picture anew, and of the steps that this takes. */
const maxRecodingFrames = 5;
const maxRecodingSteps = 2;
/** Change from which a pair of frames is such a step, in levels. */
const minRecodingStep = 0.5;
/** Coding noise assumed at least, in levels, when the ends of a span are found. */
const minNoise = 1.5;
/** Frames over which an encoder refines a picture after motion. */
const maxRefinedFrames = 8;
/** At the ends of a span, changes below this fraction of the motion beside it come from the encoder. */
const maxRefinement = 0.5;

/**
 * Finds the spans of at least 0.4 s in which a coded video shows one picture, however its encoder refines it and codes
 * it anew at key frames. Frames must be in order; frames that were not decoded end a span.
 */
export function findStillSpans(frames: readonly CodedFrame[]): StillSpan[] {
  const pictures = new Pictures(frames);
  const spans: StillSpan[] = [];
  for (const run of stillRuns(frames, pictures)) {
    for (let start = run.from; start < run.to; ) {
      const rough = longestFrom(pictures, start, run.to);
      const span = refineEnds(frames, pictures, rough);
      const last = spans.at(-1);
      if (last !== undefined && isRecoded(frames, pictures, last, span))
        spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
      else spans.push(span);
      start = rough.to + 1;
    }
  }
  const duration_s = ({ from, to }: StillSpan) => frames[to].time_s - frames[from].time_s;
  return spans.filter((span) => duration_s(span) >= minSpan_s - slack_s);
}

/** Returns true if two spans show one picture that an encoder coded anew in between, which takes few steps. */
function isRecoded(frames: readonly CodedFrame[], pictures: Pictures, a: StillSpan, b: StillSpan): boolean {
  const gap = b.from - a.to;
  if (gap > maxRecodingFrames || frames[b.from].index - frames[a.to].index !== gap) return false;
  let steps = 0;
  for (let i = a.to + 1; i <= b.from; i++) if (pictures.motion(i, i) >= minRecodingStep) steps++;
  const first = Math.min(a.to, a.from + roughFrames);
  const later = Math.min(b.to, b.from + roughFrames);
  return steps <= maxRecodingSteps && pictures.change(first, later) <= maxChange.other_group;
}

/** Compares the pictures of frames. */
class Pictures {
  readonly #frames: readonly CodedFrame[];
  readonly #group: Int32Array;
  readonly #motion: Float32Array;

  constructor(frames: readonly CodedFrame[]) {
    this.#frames = frames;
    this.#group = numberGroups(frames);
    this.#motion = Float32Array.from(frames, ({ index }, i) =>
      frames[i - 1]?.index === index - 1 ? this.change(i - 1, i) : Number.NaN,
    );
  }

  /** Largest difference of a block of two frames, in levels. */
  change(a: number, b: number): number {
    return largestChange(this.#frames[a].blocks, this.#frames[b].blocks);
  }

  /** Largest change against the previous frame in pairs from..to, in levels; 0 outside the frames. */
  motion(from: number, to: number): number {
    let largest = 0;
    for (let i = Math.max(1, from); i <= Math.min(to, this.#motion.length - 1); i++)
      if (this.#motion[i] > largest) largest = this.#motion[i];
    return largest;
  }

  /** Change between a frame and its neighbour on the side that `direction` comes from, in levels. */
  motionTo(i: number, direction: 1 | -1): number {
    const pair = direction === 1 ? i : i + 1;
    return this.motion(pair, pair);
  }

  /** True if a frame follows the previous one without a gap and shows the same picture. */
  isSameAsBefore(i: number): boolean {
    return this.#frames[i].index === this.#frames[i - 1].index + 1 && this.isSame(i - 1, i);
  }

  /** True if two frames show the same picture, within what coding it twice may change. */
  isSame(a: number, b: number): boolean {
    return this.change(a, b) <= (this.isSameGroup(a, b) ? maxChange.same_group : maxChange.other_group);
  }

  isSameGroup(a: number, b: number): boolean {
    return this.#group[a] === this.#group[b];
  }
}

/**
 * Returns for each frame the number of its group, which starts at a key frame, unless that is at most 6 frames after
 * the previous one.
 */
export function numberGroups(frames: readonly CodedFrame[]): Int32Array {
  const groups = new Int32Array(frames.length);
  let lastKey = frames.length > 0 && frames[0].key ? frames[0].index : Number.NEGATIVE_INFINITY;
  for (let i = 1; i < frames.length; i++) {
    const isNew = frames[i].key && frames[i].index - lastKey > maxMergedGroup;
    groups[i] = groups[i - 1] + (isNew ? 1 : 0);
    if (frames[i].key) lastKey = frames[i].index;
  }
  return groups;
}

/** Returns the runs of frames whose picture is the same as `minStill_s` before or after, and in between. */
function stillRuns(frames: readonly CodedFrame[], pictures: Pictures): StillSpan[] {
  const runs: { from: number; to: number }[] = [];
  let later = 0;
  let lastChange = 0;
  for (let i = 0; i < frames.length; i++) {
    while (later < frames.length && frames[later].time_s - frames[i].time_s < minStill_s - slack_s) {
      later++;
      if (later < frames.length && !pictures.isSameAsBefore(later)) lastChange = later;
    }
    if (later === frames.length) break;
    if (lastChange > i || !pictures.isSame(i, later)) continue;
    const last = runs.at(-1);
    if (last !== undefined && i <= last.to) last.to = later;
    else runs.push({ from: i, to: later });
  }
  return runs;
}

/** Returns the span from `start` on that shows one picture, so that a slow drift is not taken for a still picture. */
function longestFrom(pictures: Pictures, start: number, end: number): StillSpan {
  const anchor = Math.min(end, start + roughFrames);
  let to = anchor;
  while (to < end && pictures.isSame(anchor, to + 1)) to++;
  return { from: start, to };
}

/** Moves the ends of a span to where the picture starts and stops being the same. */
function refineEnds(frames: readonly CodedFrame[], pictures: Pictures, span: StillSpan): StillSpan {
  return { from: findEnd(frames, pictures, span, -1), to: findEnd(frames, pictures, span, 1) };
}

/**
 * Returns the outermost frame of a span in one direction. Coding noise inside the span tells which frames certainly
 * show its picture; beyond them, changes far below the motion outside are refinements of the same picture.
 */
function findEnd(
  frames: readonly CodedFrame[],
  pictures: Pictures,
  { from, to }: StillSpan,
  direction: 1 | -1,
): number {
  const outermost = direction === 1 ? frames.length - 1 : 0;
  const isInside = (i: number) => direction * (outermost - i) >= 0;
  const inside = Math.min(innerFrames, (to - from) >> 1);
  const inner = direction === 1 ? to - inside : from + inside;
  let anchor = inner;
  for (let i = inner; direction * ((direction === 1 ? to : from) - i) >= roughFrames; i += direction)
    if (!pictures.isSameGroup(anchor, i)) anchor = i;
  const limit = noiseLimit(pictures, anchor, from, to);
  let certain = anchor;
  let possible = anchor;
  for (let i = anchor; isInside(i) && pictures.isSame(anchor, i); i += direction) {
    if (Math.abs(frames[i].index - frames[anchor].index) !== Math.abs(i - anchor)) break;
    possible = i;
    if (pictures.change(anchor, i) <= limit) certain = i;
  }
  if (possible === outermost) return possible;
  const outside = direction === 1 ? [possible + 1, possible + 3] : [possible - 2, possible];
  const refinement = maxRefinement * pictures.motion(outside[0], outside[1]);
  const isRefined = (i: number) => pictures.motionTo(i, direction) < refinement;
  let end = certain;
  for (let step = 0; step < maxRefinedFrames && end !== possible; step++) {
    const next = end + direction;
    // A key frame may code the picture anew if it stands still on its other side as well.
    const isAnew = !pictures.isSameGroup(end, next) && isRefined(next + direction);
    if (!isRefined(next) && !isAnew) break;
    end = next;
  }
  return end;
}

/** Returns the coding noise in levels among the frames of a span that share the group of `anchor`. */
function noiseLimit(pictures: Pictures, anchor: number, from: number, to: number): number {
  const changes: number[] = [];
  for (let i = from + roughFrames; i <= to - roughFrames; i++)
    if (pictures.isSameGroup(anchor, i)) changes.push(pictures.change(anchor, i));
  changes.sort((a, b) => a - b);
  return Math.max(minNoise, 1.2 * (changes[Math.floor(0.95 * (changes.length - 1))] ?? 0));
}

/** Returns the largest absolute difference of two arrays of block means; NaN if their lengths differ. */
export function largestChange(a: Float32Array, b: Float32Array): number {
  let largest = a.length === b.length ? 0 : Number.NaN;
  for (let i = 0; i < b.length; i++) {
    const change = Math.abs(a[i] - b[i]);
    if (change > largest) largest = change;
  }
  return largest;
}
