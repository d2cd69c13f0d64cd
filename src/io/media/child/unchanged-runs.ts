import { maxMergedGroup, type StillSpan } from './still-spans.ts';

/** Packet data of a span, known without decoding, with one entry per shown frame. */
export interface SpanPackets {
  readonly count: number;
  /** 1 for frames at which decoding can start. */
  readonly key: Uint8Array;
  readonly bytes: Int32Array;
  /** Number of pixels of a frame. */
  readonly pixels: number;
}

/**
 * Returns the packet size in bytes up to which a dependent frame may hold no change: 3 to 32 bytes in small pictures
 * for x264, x265, SVT-AV1 and libvpx, a little more in large ones.
 */
export const maxRepeatBytes = (pixels: number) => 34 + pixels / 20_000;
/** Relative difference up to which two key packets may hold the same picture. */
const maxKeyDifference = 0.007;
/** Frames with a change that a run may contain in a row, because encoders refine still pictures now and then. */
const maxGapFrames = 5;
/** Frames with a change in a run, as a fraction of its frames. */
const maxChangedFraction = 0.4;

/** A run of frames without a change, and the last frame before each gap with changes in it. */
export interface UnchangedRun extends StillSpan {
  readonly before_gaps: readonly number[];
}

/**
 * Finds runs of at least `minFrames` frames whose packets look as if nothing changed: dependent packets hold next to
 * nothing or repeat the size of the last one, and key packets repeat the size of the last key packet, except after a long
 * group. Gaps of up to 5 frames are part of a run, up to 40 % of its frames in all. A frozen camera looks like this, and so
 * does a scene at rest.
 */
export function findUnchangedRuns(span: SpanPackets, minFrames: number): UnchangedRun[] {
  const unchanged = unchangedFrames(span);
  const runs: { from: number; to: number; before_gaps: number[] }[] = [];
  // Sizes repeat by chance as well, so that a gap is not longer than the unchanged frames before it.
  let before = 0;
  unchanged.forEach((one, i) => {
    if (!one) return;
    const last = runs.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : i - last.to - 1;
    if (last !== undefined && gap <= Math.min(maxGapFrames, before)) {
      if (gap > 0) last.before_gaps.push(last.to);
      last.to = i;
    } else runs.push({ from: i, to: i, before_gaps: [] });
    before = gap === 0 ? before + 1 : 1;
  });
  return runs.filter(({ from, to }) => {
    const length = to - from + 1;
    const changed = length - unchanged.slice(from, to + 1).filter((one) => one).length;
    return length >= minFrames && changed <= maxChangedFraction * length;
  });
}

function unchangedFrames({ count, key, bytes, pixels }: SpanPackets): boolean[] {
  const keys = key.reduce((sum, one) => sum + one, 0);
  const isIntraOnly = keys === count;
  const isShort = count / Math.max(1, keys) <= maxMergedGroup;
  const unchanged: boolean[] = [];
  let lastKeyBytes = Number.NaN;
  let lastBytes = Number.NaN;
  let isSameKey = true;
  for (let i = 0; i < count; i++) {
    if (key[i] === 1) {
      const difference = Math.abs(bytes[i] - lastKeyBytes) / bytes[i];
      // A key frame after a long group may have any size.
      isSameKey = isIntraOnly ? difference === 0 : !isShort || difference <= maxKeyDifference;
      unchanged.push(isSameKey && (isIntraOnly || unchanged[i - 1] === true));
      lastKeyBytes = bytes[i];
    } else {
      const repeats = isShort && bytes[i] === lastBytes;
      unchanged.push(isSameKey && (repeats || bytes[i] <= maxRepeatBytes(pixels)));
      lastBytes = bytes[i];
    }
  }
  return unchanged;
}

/**
 * Changes of a cell, in levels, that encoders discard in frames between two key frames that follow each other closely,
 * because these get few bits: with a key frame every two frames, x264, x265 and SVT-AV1 discard 30 % of the changes of 8
 * to 16 levels at low quality, and 2 % of larger ones.
 */
const maxDiscardedChange = 16;
/**
 * Median size of key packets in bytes per pixel below which such frames may lose any change. x264 and x265 at a CRF of 36
 * and 38 write 0.02, LeRobot's SVT-AV1 at 30 more than 0.06.
 */
const minKeyBytesPerPixel = 0.04;

/**
 * Returns for each frame up to which change of a cell, in levels, its encoder may have discarded it; 0 except within
 * short groups of frames.
 */
export function discardedChanges({ count, key, bytes, pixels }: SpanPackets): Float32Array {
  const discarded = new Float32Array(count);
  const sizes = bytes.filter((_, i) => key[i] === 1).sort();
  const isCoarse = sizes[sizes.length >> 1] < minKeyBytesPerPixel * pixels;
  const limit = isCoarse ? Number.POSITIVE_INFINITY : maxDiscardedChange;
  let lastKey = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    if (key[i] === 0) continue;
    if (i - lastKey <= maxMergedGroup) discarded.fill(limit, lastKey + 1, i);
    lastKey = i;
  }
  return discarded;
}
