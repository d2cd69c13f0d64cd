import { type JsonObject, seededRandom } from '#core';
import {
  type CameraEvidence,
  type Clock,
  type Episode,
  type Kind,
  type Stream,
  type StreamRole,
  unknownOutcome,
} from '#core/episode';
import type { Check, ComparisonNotes, Subject } from './check.ts';
import { createFeatures } from './features/episode-features.ts';

const evidenceNone = { unit: 'unknown', evidence: 'unknown', reason: 'not said' } as const;

/** Creates a numeric stream with a synthesised clock and the values `at(row, dimension)`. For tests. */
export function numericStream(
  id: string,
  role: StreamRole,
  rows: number,
  dims: number,
  at: (row: number, dimension: number) => number,
  rate_hz = 30,
): Stream {
  const values = new Float32Array(rows * dims);
  for (let i = 0; i < rows; i++) for (let d = 0; d < dims; d++) values[i * dims + d] = at(i, d);
  const time_s = Float64Array.from({ length: rows }, (_, i) => i / rate_hz);
  return {
    id,
    role,
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit: evidenceNone,
    declared_rate_hz: rate_hz,
    sample_count: rows,
    clocks: [{ name: 'timestamp', provenance: 'synthesised', time_s }],
    clock: { index: 0, reason: 'the only one' },
    series: { values, dims },
  };
}

/**
 * Creates action and state of an arm that swings smoothly, the state slightly behind the action. For tests.
 */
export function swingingArm(seed: number, rows = 300, dims = 6): Stream[] {
  const random = seededRandom(seed);
  const phase = Array.from({ length: dims }, () => random.between(0, 6));
  const pace = Array.from({ length: dims }, () => random.between(0.01, 0.03));
  const command = (i: number, d: number) => Math.sin(phase[d] + pace[d] * i);
  return [
    numericStream(
      'observation.state',
      'state',
      rows,
      dims,
      (i, d) => command(i - 3, d) + 1e-4 * random.normal(),
    ),
    numericStream('action', 'action', rows, dims, command),
  ];
}

/** Creates an episode with the given streams; `more` overrides its fields. For tests. */
export function testEpisode(index: number, streams: readonly Stream[], more: Partial<Episode> = {}): Episode {
  const id = `episode_${String(index).padStart(6, '0')}`;
  return {
    id,
    index,
    locator: {
      format: 'lerobot',
      path: 'data/chunk-000/file-000.parquet',
      span: { unit: 'row', from: index * 300, to: index * 300 + 300 },
    },
    sources: [
      { path: 'data/chunk-000/file-000.parquet', bytes: 1234, sha256: 'ab'.repeat(32), role: 'data' },
    ],
    start_ns: null,
    duration_s: 10,
    streams,
    events: [],
    tasks: [{ text: 'put the red cube into the box', source: 'meta/tasks.parquet' }],
    outcome: unknownOutcome,
    robot: 'so101',
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
    ...more,
  };
}

/** Creates a subject, by default of kind `teleop` and without cameras. For tests. */
export function testSubject(
  episode: Episode,
  kind: Kind = 'teleop',
  cameras: ReadonlyMap<string, CameraEvidence> = new Map(),
): Subject {
  return { episode, kind, cameras, features: createFeatures(episode) };
}

type Run = CameraEvidence['repeats']['runs'][number];

/** Creates a video stream with one file per episode. For tests. */
export function testCameraStream(
  id: string,
  frames: number,
  rate_hz = 30,
  path = `videos/${id}.mp4`,
): Stream {
  return {
    id,
    role: 'camera',
    modality: 'video',
    shape: [240, 320, 3],
    names: null,
    unit: evidenceNone,
    declared_rate_hz: rate_hz,
    sample_count: frames,
    clocks: [
      {
        name: 'timestamp',
        provenance: 'synthesised',
        time_s: Float64Array.from({ length: frames }, (_, i) => i / rate_hz),
      },
    ],
    clock: { index: 0, reason: 'the only one' },
    frames: {
      locator: { type: 'video', path, from_s: 0, to_s: null, expected_frames: frames },
      declared_size_px: [320, 240],
      declared_codec: null,
    },
  };
}

/** Properties of decoded frames, by frame index. */
export interface TestLook {
  readonly luma_mean?: (i: number) => number;
  readonly luma_std?: (i: number) => number;
  readonly dark_ratio?: (i: number) => number;
  readonly bright_ratio?: (i: number) => number;
  readonly sharpness?: (i: number) => number;
  /** Mean luma of a block (0..63) of a frame. */
  readonly grid?: (i: number, block: number) => number;
}

/** Creates evidence of a camera without defects, except for the given properties. For tests. */
export function testCamera(
  frames: number,
  look: TestLook = {},
  runs: readonly (Pick<Run, 'from_s' | 'to_s' | 'frames'> & Partial<Run>)[] = [],
  more: Partial<CameraEvidence> = {},
  rate_hz = 30,
): CameraEvidence {
  const each = (value: number, at?: (i: number) => number) =>
    Float32Array.from({ length: frames }, (_, i) => at?.(i) ?? value);
  return {
    decodable: 'yes',
    reason: null,
    container: {
      codec: 'h264',
      width_px: 320,
      height_px: 240,
      pixel_format: 'yuv420p',
      frame_count: frames,
      declared_frame_count: frames,
      rate_hz,
      first_pts_s: 0,
      last_pts_s: (frames - 1) / rate_hz,
      pts_jitter_ratio: 0,
      rotation_deg: 0,
      complete: true,
    },
    sampled: {
      index: Int32Array.from({ length: frames }, (_, i) => i),
      time_s: Float64Array.from({ length: frames }, (_, i) => i / rate_hz),
      luma_mean: each(110, look.luma_mean),
      luma_std: each(50, look.luma_std),
      dark_ratio: each(0.05, look.dark_ratio),
      bright_ratio: each(0.02, look.bright_ratio),
      sharpness: each(400, look.sharpness),
      difference: each(3),
      motion: each(20),
      hash_high: Uint32Array.from({ length: frames }, (_, i) => 0x12345678 ^ i),
      hash_low: Uint32Array.from({ length: frames }, (_, i) => 0x9abcdef0 ^ i),
      grid: Uint8Array.from(
        { length: 64 * frames },
        (_, k) => look.grid?.(Math.floor(k / 64), k % 64) ?? 110,
      ),
    },
    repeats: {
      pairs_compared: frames - 1,
      pairs_equal: runs.reduce((sum, run) => sum + run.frames, 0),
      runs: runs.map((run) => ({ equal: run.frames, motion_before: 20, leap: 20, ...run })),
      places: [],
      place_count: 0,
      method: 'every_frame',
      in_motion: null,
    },
    thumbnails: [],
    coded: null,
    ...more,
  };
}

/** Returns a copy of a stream with every value replaced by `change(value, row, dimension)`. For tests. */
export function mapValues(
  stream: Stream,
  change: (value: number, row: number, dimension: number) => number,
): Stream {
  const { values, dims } = stream.series!;
  const copy = values.slice();
  for (let at = 0; at < copy.length; at++) copy[at] = change(values[at], Math.floor(at / dims), at % dims);
  return { ...stream, series: { values: copy, dims } };
}

/** Returns the rows of a stream for which `keep` holds, with their timestamps. For tests. */
export function filterRows(stream: Stream, keep: (row: number) => boolean): Stream {
  const rows = Array.from({ length: stream.sample_count }, (_, row) => row).filter(keep);
  const { values, dims } = stream.series!;
  const copy = new Float32Array(rows.length * dims);
  rows.forEach((row, i) => {
    copy.set(values.subarray(row * dims, (row + 1) * dims), i * dims);
  });
  const filterClock = (clock: Clock): Clock => ({
    ...clock,
    time_s: Float64Array.from(rows, (r) => clock.time_s[r]),
  });
  return {
    ...stream,
    sample_count: rows.length,
    clocks: stream.clocks.map(filterClock),
    series: { values: copy, dims },
  };
}

/** Returns the stream with new timestamps, by default at its declared rate or 30 Hz. For tests. */
export function withTimestamps(
  stream: Stream,
  provenance: Clock['provenance'],
  at: (row: number) => number = (row) => row / (stream.declared_rate_hz ?? 30),
): Stream {
  const time_s = Float64Array.from({ length: stream.sample_count }, (_, row) => at(row));
  return { ...stream, clocks: [{ name: 'timestamp', provenance, time_s }] };
}

interface CheckOutcome {
  readonly status: string;
  readonly reason: string | null;
  readonly values: JsonObject | null;
  readonly score: number;
  /** Flags raised at the check's default threshold. */
  readonly flags: readonly string[];
  readonly messages: readonly string[];
  readonly marked: number;
}

/** Measures and evaluates an episode with one check. For tests. */
export function judgeWithCheck(check: Check, episode: Episode, notes: ComparisonNotes = {}): CheckOutcome {
  const measured = check.measure(testSubject(episode));
  if (measured.status !== 'measured')
    return {
      status: measured.status,
      reason: measured.reason,
      values: null,
      score: 1,
      flags: [],
      messages: [],
      marked: 0,
    };
  const aspects = check.judge(measured.values, notes);
  const up = aspects.filter((aspect) => aspect.score < check.threshold.value);
  return {
    status: 'measured',
    reason: null,
    values: measured.values,
    score: Math.min(1, ...aspects.map((aspect) => aspect.score)),
    flags: up.map((aspect) => aspect.flag),
    messages: up.map((aspect) => aspect.message()),
    marked: up.reduce((count, aspect) => count + (aspect.marks?.length ?? 0), 0),
  };
}
