import type { Clock } from '#core/episode';
import type { PayloadSpan } from './payload-spans.ts';

/** Samples of one stream in one payload. */
export interface Block {
  readonly payload: PayloadSpan;
  /** Number of samples, at least 1. */
  readonly rows: number;
  /** STMP: time of the first sample on the camera's clock in µs; `null` if the payload has none. */
  readonly stamp_us: number | null;
  /** TSMP: samples of the stream since the start of recording, including these; `null` if the payload has none. */
  readonly total: number | null;
  /** TIMO: delay of the stream in seconds; usually 0. */
  readonly delay_s: number;
}

/** Relation of the camera's clock to the time axis of the file: file time = STMP / 1e6 + `offset_s`. */
export interface CameraClock {
  readonly offset_s: number;
  readonly reason: string;
}

/** Times of the samples of a stream in seconds since the first video frame, and why they are known. */
export interface SampleTimes {
  readonly clock: Clock;
  readonly reason: string;
}

/** STMP counts microseconds; where its rate differs by more than this from that of the file, it counts something else. */
const maxRateDifference = 0.1;

/**
 * Computes the time of every sample. GPMF times only the first sample of a payload: those in between are spread evenly up
 * to the next payload. Uses STMP if every payload has one, they rise and their rate is that of the file; else the spans of
 * the payloads in the MP4 track.
 * @param zero_s time of the first video frame on the time axis of the file
 */
export function computeSampleTimes(
  blocks: readonly Block[],
  camera: CameraClock | null,
  zero_s: number,
): SampleTimes {
  const stamps = camera === null ? null : stampTimes(blocks, camera);
  const starts = stamps ?? blocks.map(({ payload }) => payload.from_s);
  const steps = stamps === null ? payloadSteps(blocks) : stampSteps(blocks, stamps);
  const time_s = new Float64Array(blocks.reduce((sum, { rows }) => sum + rows, 0));
  let at = 0;
  for (const [i, { rows, delay_s }] of blocks.entries())
    for (let k = 0; k < rows; k++) time_s[at++] = starts[i] + k * steps[i] - delay_s - zero_s;
  if (stamps === null)
    return {
      clock: { name: 'mp4', provenance: 'synthesised', time_s },
      reason:
        'the telemetry has no usable times: its samples are spread evenly over the payloads of the MP4 track',
    };
  return {
    clock: { name: 'STMP', provenance: 'hardware', time_s },
    reason: `camera time (STMP) of the first sample of each payload, evenly spaced in between; ${camera!.reason}`,
  };
}

/** Returns the start of each block by its STMP, in seconds on the file's time axis; `null` if these are unusable. */
function stampTimes(blocks: readonly Block[], { offset_s }: CameraClock): number[] | null {
  const times: number[] = [];
  for (const { stamp_us } of blocks) {
    if (stamp_us === null) return null;
    const time_s = stamp_us / 1e6 + offset_s;
    if (times.length > 0 && !(time_s > times[times.length - 1])) return null;
    times.push(time_s);
  }
  if (blocks.length < 2) return times;
  const last = blocks.length - 1;
  const rate = (times[last] - times[0]) / (blocks[last].payload.from_s - blocks[0].payload.from_s);
  return Math.abs(rate - 1) <= maxRateDifference ? times : null;
}

/** Returns the time between two samples of each block by the next block's start, also where samples in between are lost. */
function stampSteps(blocks: readonly Block[], starts: readonly number[]): number[] {
  const steps: number[] = [];
  for (let i = 0; i + 1 < blocks.length; i++)
    steps.push((starts[i + 1] - starts[i]) / samplesUntilNext(blocks[i], blocks[i + 1]));
  if (steps.length === 0) return payloadSteps(blocks);
  return [...steps, steps[steps.length - 1]];
}

/** Returns the samples from the first of a block to the first of the next, by the running totals if these are there. */
function samplesUntilNext(block: Block, next: Block): number {
  if (block.total === null || next.total === null) return block.rows;
  return Math.max(block.rows, next.total - next.rows - (block.total - block.rows));
}

/**
 * Returns the time between two samples of each block by the span of its payload. The last one may cover less than its
 * span, so its samples are at most as far apart as those before on average.
 */
function payloadSteps(blocks: readonly Block[]): number[] {
  const steps = blocks.map(({ payload, rows }) => (payload.to_s - payload.from_s) / rows);
  if (blocks.length < 2) return steps;
  const earlier = blocks.slice(0, -1);
  const rows = earlier.reduce((sum, block) => sum + block.rows, 0);
  const usual_s = earlier.reduce((sum, { payload }) => sum + payload.to_s - payload.from_s, 0) / rows;
  return [...steps.slice(0, -1), Math.min(steps[steps.length - 1], usual_s)];
}
