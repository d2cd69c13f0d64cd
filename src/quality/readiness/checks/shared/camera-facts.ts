import { clamp, significant } from '#core';
import { type CameraEvidence, type ServedRows, type Stream, timesOf } from '#core/episode';
import type { Subject } from '../../check.ts';

/** Measured facts about one camera in an episode. */
export type CameraFacts = {
  readonly camera: string;
  /** Reason why the camera has no pictures; `null` if it has some. */
  readonly missing: string | null;
  /** Number of frames that the recording's table promises, and number found. */
  readonly expected_frames: number | null;
  readonly frames: number | null;
  /** Fraction of the episode's duration from the first frame to the end of the last. */
  readonly covered: number | null;
  readonly first_s: number | null;
  readonly last_s: number | null;
  readonly rate_hz: number | null;
  readonly declared_rate_hz: number | null;
  readonly size_px: readonly [number, number] | null;
  readonly declared_size_px: readonly [number, number] | null;
  /**
   * Frames that the format's own loader finds for the rows; `null` if no loader accesses the video by time.
   */
  readonly served: ServedFacts | null;
};

/** Outcome of loading every row at from_s + row / rate_hz of the file. */
export type ServedFacts = Readonly<
  Record<'rows' | 'absent' | 'off' | 'worst_off_s' | 'first_off_s' | 'foreign' | 'file_frames', number>
> &
  Readonly<Record<'first_absent' | 'first_off' | 'first_foreign' | 'file_last_s', number | null>> & {
    readonly rate_hz: number;
    readonly tolerance_s: number;
    readonly from_s: number;
  };

/**
 * Measures coverage, frame counts, rate, size and loader access of one camera in an episode; unknown facts are
 * `null`. `stream` must have frames.
 */
export function measureCamera(stream: Stream, { episode, cameras }: Subject): CameraFacts {
  const frames = stream.frames!;
  const evidence = cameras.get(stream.id);
  const { locator } = frames;
  const span = measureSpan(stream, evidence, episode.duration_s);
  const container = evidence?.container ?? null;
  return {
    camera: stream.id,
    covered: span === null ? null : significant(span.covered),
    declared_rate_hz: stream.declared_rate_hz === null ? null : significant(stream.declared_rate_hz),
    declared_size_px: frames.declared_size_px === null ? null : [...frames.declared_size_px],
    expected_frames: locator.type === 'video' ? locator.expected_frames : null,
    first_s: span === null ? null : significant(span.first_s),
    frames: container?.frame_count ?? (stream.clock === null ? null : stream.sample_count),
    last_s: span === null ? null : significant(span.last_s),
    missing: findMissingReason(stream, evidence),
    rate_hz: container?.rate_hz == null ? null : significant(container.rate_hz),
    served: summarizeServed(stream, container?.served),
    size_px:
      container === null || container.width_px === 0 ? null : [container.width_px, container.height_px],
  };
}

function summarizeServed({ frames }: Stream, served: ServedRows | undefined): ServedFacts | null {
  const locator = frames?.locator;
  if (served === undefined || locator?.type !== 'video' || locator.asked === undefined) return null;
  const { start_off_s: _, ...facts } = served;
  return {
    ...facts,
    file_last_s: served.file_last_s === null ? null : significant(served.file_last_s),
    first_off_s: significant(served.first_off_s),
    from_s: significant(locator.from_s, 9),
    rate_hz: significant(locator.asked.rate_hz),
    tolerance_s: locator.asked.tolerance_s,
    worst_off_s: significant(served.worst_off_s),
  };
}

function findMissingReason(
  { frames, sample_count, modality }: Stream,
  evidence: CameraEvidence | undefined,
): string | null {
  if (frames?.locator.type === 'missing') return `${frames.locator.path}: ${frames.locator.reason}`;
  if (evidence?.decodable === 'missing') return evidence.reason ?? 'its file is missing';
  return modality === 'image' && sample_count === 0 ? 'it has no frames' : null;
}

interface Span {
  readonly first_s: number;
  readonly last_s: number;
  readonly covered: number;
}

/**
 * Returns times of the first and last frame in seconds from the episode's start, and the fraction of the
 * episode that they cover. `null` if the frames have no times.
 */
function measureSpan(stream: Stream, evidence: CameraEvidence | undefined, duration_s: number): Span | null {
  const container = evidence?.container ?? null;
  const locator = stream.frames!.locator;
  let first_s: number;
  let last_s: number;
  let frames: number;
  if (locator.type === 'video' && container?.first_pts_s != null && container.last_pts_s != null) {
    first_s = container.first_pts_s - locator.from_s;
    last_s = container.last_pts_s - locator.from_s;
    frames = container.frame_count;
  } else {
    const times = timesOf(stream);
    if (times === null || times.length === 0) return null;
    first_s = times[0];
    last_s = times[times.length - 1];
    frames = times.length;
  }
  const step_s = frames > 1 ? (last_s - first_s) / (frames - 1) : 0;
  const covered = duration_s > 0 ? clamp((last_s - first_s + step_s) / duration_s, 0, 1) : 1;
  return { first_s, last_s, covered };
}
