import { clamp, significant } from '#core';
import type { Aspect, ComparisonNotes } from '../../check.ts';
import type { CameraFacts, ServedFacts } from './camera-facts.ts';

/**
 * Returns a failing aspect (score 0) for each way in which the loader gets no frame, another episode's frame or a
 * frame off the requested time for any row, and one for extra frames. Exact like the loader: a single row without its
 * frame fails.
 */
export function servedAspects(facts: CameraFacts, served: ServedFacts): Aspect[] {
  const { absent, off, foreign, rows } = served;
  const aspects: Aspect[] = [];
  if (isPastFile(served)) aspects.push(pastFileAspect(facts, served));
  else if (absent > 0) aspects.push(framesMissingAspect(facts, served));
  if (foreign > 0) aspects.push(framesForeignAspect(facts, served));
  if (off > 0) aspects.push(rowsRefusedAspect(facts, served));
  if (facts.frames !== null && facts.frames > rows)
    aspects.push(framesExtraAspect(facts, facts.frames - rows));
  return aspects;
}

function isPastFile({ absent, rows, from_s, file_last_s }: ServedFacts): boolean {
  return absent === rows && file_last_s !== null && from_s > file_last_s;
}

function pastFileAspect(
  { camera }: CameraFacts,
  { from_s, file_last_s, file_frames, rows, rate_hz }: ServedFacts,
): Aspect {
  return {
    ...createFailure('camera_window_past_file', rows),
    message: () =>
      `${camera} starts at ${from_s} s in its file, but the ${file_frames} frames of the file end at ${file_last_s} s: no row has an image`,
    marks: createMarks(camera, 0, rows, rate_hz),
  };
}

function framesMissingAspect({ camera, frames }: CameraFacts, served: ServedFacts): Aspect {
  const { absent, first_absent, rows, rate_hz } = served;
  const first = first_absent ?? 0;
  return {
    ...createFailure('camera_frames_missing', absent),
    message: () =>
      `${camera} has no frame for ${absent} of ${rows} rows, starting at row ${first} (${formatRowTime(first, rate_hz)}): the video contains ${frames ?? 0} frames of the episode`,
    marks: createMarks(camera, first, rows, rate_hz),
  };
}

function framesForeignAspect({ camera, frames }: CameraFacts, served: ServedFacts): Aspect {
  const { foreign, first_foreign, rows, rate_hz } = served;
  const first = first_foreign ?? 0;
  return {
    ...createFailure('camera_frames_foreign', foreign),
    message: () =>
      `${camera}: ${foreign} of ${rows} rows, starting at row ${first} (${formatRowTime(first, rate_hz)}), get frames of another episode: the window contains ${frames ?? 0} frames`,
    marks: createMarks(camera, first, rows, rate_hz),
  };
}

function rowsRefusedAspect(facts: CameraFacts, served: ServedFacts): Aspect {
  const { off, first_off, worst_off_s, tolerance_s, rows, rate_hz } = served;
  const { camera } = facts;
  const first = first_off ?? 0;
  return {
    ...createFailure('camera_rows_refused', worst_off_s),
    message: () =>
      `${camera}: the frames of ${off} of ${rows} rows, starting at row ${first}, are up to ${formatMilliseconds(worst_off_s)} off the requested timestamp; the loader tolerates ${formatMilliseconds(tolerance_s)}. ${describeCause(facts, served)}`,
    marks: createMarks(camera, first, rows, rate_hz),
  };
}

/** Cause of frames that are off the requested times. */
export type OffsetCause = 'rate' | 'window' | 'stamps';

/**
 * Returns why frames are off the requested times: `rate` (another rate), `window` (starts off the frame grid) or
 * `stamps` (rounded or uneven timestamps).
 */
export function findOffsetCause(
  rate_hz: number | null,
  served: Pick<
    ServedFacts,
    'rate_hz' | 'rows' | 'absent' | 'off' | 'tolerance_s' | 'first_off_s' | 'worst_off_s'
  >,
): OffsetCause {
  const { tolerance_s, rows, absent, off, first_off_s, worst_off_s } = served;
  const slip_s = rate_hz === null ? 0 : Math.abs(1 / rate_hz - 1 / served.rate_hz) * rows;
  if (slip_s > 2 * tolerance_s && worst_off_s - first_off_s > tolerance_s) return 'rate';
  // Near the tolerance, rounding accepts single rows.
  const all = off + absent === rows || worst_off_s < 1.5 * tolerance_s;
  return all && worst_off_s - first_off_s < tolerance_s ? 'window' : 'stamps';
}

function describeCause({ rate_hz }: CameraFacts, served: ServedFacts): string {
  const cause = findOffsetCause(rate_hz, served);
  if (cause === 'rate') return `The video has ${rate_hz} Hz, the rows ${served.rate_hz} Hz`;
  const what =
    cause === 'window'
      ? `The episode starts ${formatMilliseconds(served.first_off_s)} away from the nearest frame`
      : 'The frame timestamps are rounded or irregular';
  const loads = computeLoadableTolerance_s(served.worst_off_s);
  return loads * served.rate_hz >= 0.5 ? what : `${what}; it loads with tolerance_s=${loads}`;
}

/**
 * Returns the `tolerance_s` with which the rows load: the worst offset, rounded up to one significant digit.
 */
export function computeLoadableTolerance_s(worst_off_s: number): number {
  const unit = 10 ** Math.floor(Math.log10(worst_off_s));
  return significant(unit * Math.ceil((1.001 * worst_off_s) / unit));
}

function framesExtraAspect({ camera, frames }: CameraFacts, more: number): Aspect {
  return {
    ...createFailure('camera_frames_extra', more),
    message: () =>
      `${camera} has ${frames} frames for ${Number(frames) - more} rows: ${more} frames belong to no row, for example frames of a discarded take`,
  };
}

function createFailure(flag: string, observed: number) {
  return { flag, score: 0, observed };
}

function createMarks(camera: string, first: number, rows: number, rate_hz: number) {
  return [{ stream: camera, from_s: first / rate_hz, to_s: rows / rate_hz }];
}

function formatRowTime(row: number, rate_hz: number): string {
  return `${(row / rate_hz).toFixed(2)} s`;
}

function formatMilliseconds(seconds: number): string {
  return `${significant(1000 * seconds, 3)} ms`;
}

/**
 * Returns one aspect that grades how much of the episode a camera covers, from 1 down to 0 if an eighth is missing;
 * empty if the coverage is unknown. For cameras that no loader accesses by time.
 */
export function coverageAspects(
  { camera, covered, frames, first_s, last_s }: CameraFacts,
  duration_s: number,
): Aspect[] {
  if (covered === null || first_s === null || last_s === null || duration_s <= 0) return [];
  const frame = frames !== null && frames > 1 ? covered / frames : 0;
  const late = first_s > duration_s - last_s;
  return [
    {
      flag: 'camera_truncated',
      score: clamp(1 - 8 * Math.max(0, 1 - covered - frame - 0.1 / duration_s), 0, 1),
      observed: covered,
      message: () =>
        `${camera} covers ${(100 * covered).toFixed(1)} % of the episode: it has frames from ${first_s.toFixed(2)} s to ${last_s.toFixed(2)} s of ${duration_s.toFixed(2)} s`,
      marks: [
        late
          ? { stream: camera, from_s: 0, to_s: first_s }
          : { stream: camera, from_s: last_s, to_s: duration_s },
      ],
    },
  ];
}

/**
 * Returns one aspect that grades the number of frames against the rows, from 1 (one frame off is tolerated) to 0 if a
 * tenth is missing or extra; empty if either is unknown. For cameras that no loader accesses by time.
 */
export function frameCountAspects(
  { camera, expected_frames: expected, frames }: CameraFacts,
  duration_s: number,
): Aspect[] {
  if (expected === null || frames === null || expected <= 0) return [];
  const lacking = (expected - frames) / expected;
  const beyondOne = Math.max(0, Math.abs(expected - frames) - 1) / expected;
  return [
    {
      flag: lacking >= 0 ? 'camera_frames_missing' : 'camera_frames_extra',
      score: clamp(1 - 10 * beyondOne, 0, 1),
      observed: significant(lacking),
      message: () => `${camera} has ${frames} frames for ${expected} rows`,
      marks: [{ stream: camera, from_s: 0, to_s: duration_s }],
    },
  ];
}

/**
 * Returns one aspect that grades the container rate against the declared rate; empty if either is unknown, or if rows
 * and video agree with each other. In that case the declared rate is a defect of the dataset, which a finding reports
 * once.
 */
export function rateAspects({ camera, rate_hz, declared_rate_hz, served }: CameraFacts): Aspect[] {
  if (rate_hz === null || declared_rate_hz === null || !(rate_hz > 0 && declared_rate_hz > 0)) return [];
  if (served !== null && Math.abs(Math.log(rate_hz / served.rate_hz)) < 0.005) return [];
  const deviation = Math.abs(Math.log(rate_hz / declared_rate_hz));
  return [
    {
      flag: 'camera_rate_mismatch',
      score: clamp(1 - 10 * Math.max(0, deviation - 0.005), 0, 1),
      observed: rate_hz,
      message: () =>
        `${camera} has a frame rate of ${rate_hz} Hz but is declared with ${declared_rate_hz} Hz`,
    },
  ];
}

/**
 * Returns a failing aspect (score 0) for every camera whose picture size differs from the other episodes', as noted
 * by the comparison `declared_pictures`.
 */
export function sizeAspects(
  note: ComparisonNotes[string] | undefined,
  cameras: readonly CameraFacts[],
): Aspect[] {
  const usual = (note?.usual_size_px ?? {}) as Readonly<Record<string, string | undefined>>;
  return cameras.flatMap(({ camera, size_px }) =>
    usual[camera] === undefined || size_px === null
      ? []
      : [
          {
            flag: 'camera_size_mismatch',
            score: 0,
            observed: size_px[0],
            message: () =>
              `${camera} is ${size_px.join('x')} px, but ${usual[camera]} px in the rest of the dataset: images of different sizes cannot be batched, and labels for one size do not fit the other`,
          },
        ],
  );
}

/**
 * Creates the failing aspect (score 0) of a camera without pictures, which states the reason and marks the whole
 * episode.
 */
export function missingAspect({ camera, missing }: CameraFacts, duration_s: number): Aspect {
  return {
    flag: 'camera_missing',
    score: 0,
    observed: 0,
    message: () => `${camera} is missing: ${missing}`,
    marks: [{ stream: camera, from_s: 0, to_s: duration_s }],
  };
}

/**
 * Returns `true` if a camera is absent in every episode, which is a finding of the dataset, and this episode
 * has another camera with pictures.
 */
export function isMissingEverywhere(
  note: ComparisonNotes[string] | undefined,
  id: string,
  cameras: readonly CameraFacts[],
): boolean {
  return (
    toStringList(note?.absent_everywhere).includes(id) && cameras.some((camera) => camera.missing === null)
  );
}

/** Returns a failing aspect (score 0) for every camera that most episodes have and this one does not name. */
export function absentCameraAspects(note: ComparisonNotes[string] | undefined): Aspect[] {
  return toStringList(note?.absent_here).map((id) => ({
    flag: 'camera_missing',
    score: 0,
    observed: 0,
    message: () => `${id} is missing in this episode; most episodes of the dataset have it`,
  }));
}

function toStringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
