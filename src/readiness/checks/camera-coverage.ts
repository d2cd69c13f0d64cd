import type { CameraEvidence, Stream } from '#episode';
import { kinds, timesOf } from '#episode';
import { clamp, significant } from '#kernel';
import { type Aspect, type ComparedNotes, defineCheck, type Subject } from '../check.ts';

type CameraFacts = {
  readonly camera: string;
  /** The recording names it and its file is not there. */
  readonly missing: string | null;
  /** Frames the recording's table promises, and frames found. */
  readonly expected_frames: number | null;
  readonly frames: number | null;
  /** Share of the episode's time from the first frame to the end of the last. */
  readonly covered: number | null;
  readonly first_s: number | null;
  readonly last_s: number | null;
  readonly rate_hz: number | null;
  readonly declared_rate_hz: number | null;
  readonly size_px: readonly [number, number] | null;
  readonly declared_size_px: readonly [number, number] | null;
};

type Values = { readonly duration_s: number; readonly cameras: readonly CameraFacts[] };

export const cameraCoverage = defineCheck<Values>({
  id: 'camera_coverage',
  title: 'Cameras cover the episode',
  needs: 'at least one camera, present or named by the recording',
  kinds,
  formula:
    'least over the cameras of: file present 1, absent 0; coverage c = time from first to last frame / duration: 1 − 8 · max(0, 1 − c − one frame − 0.1 s); missing frames m = (expected − found) / expected: 1 − 10 · m beyond one frame; rate r = container rate / declared rate: 1 − 10 · max(0, |ln r| − 0.005)',
  threshold: {
    value: 0.5,
    source:
      'halves at 6 % of the time, 5 % of the frames, 5 % of the rate: more shifts pictures against actions by over half a second in ten; drop-frame rates (29.97 for 30) stay clean',
  },
  weight: 2,
  flags: [
    {
      code: 'camera_missing',
      severity: 'blocking',
      meaning: 'A camera that the recording names has no pictures in this episode.',
      advice:
        'Fetch or restore the missing file, or take the camera out of the metadata of the whole dataset.',
    },
    {
      code: 'camera_truncated',
      severity: 'blocking',
      meaning: 'The camera starts late or ends before the episode does.',
      advice: 'Restore the full video, or cut the episode to where all streams are there.',
    },
    {
      code: 'camera_frames_missing',
      severity: 'warning',
      meaning: 'The camera has fewer frames than the table has rows.',
      advice: 'Record or encode again; do not pair frames with rows by number.',
    },
    {
      code: 'camera_frames_extra',
      severity: 'warning',
      meaning: 'The camera has more frames than the table has rows.',
      advice: 'Check the span of the episode in the video file; do not pair frames with rows by number.',
    },
    {
      code: 'camera_rate_mismatch',
      severity: 'warning',
      meaning: 'The rate of the frames is not the rate that the recording declares.',
      advice: 'Correct the declared rate, or encode the video again with the stamps of its frames.',
    },
    {
      code: 'camera_size_mismatch',
      severity: 'warning',
      meaning: 'The pictures have another size than declared.',
      advice: 'Correct the declared shape, or bring all episodes to one size.',
    },
  ],
  calibrated_on:
    'real sets with and without missing videos; videos cut, thinned and re-stamped by known amounts',
  measure(subject) {
    const cameras = subject.episode.streams.filter((stream) => stream.frames !== undefined);
    const duration_s = significant(subject.episode.duration_s);
    if (cameras.length === 0)
      return {
        status: 'inapplicable',
        reason: 'the episode has no camera',
        if_noted: { cameras: [], duration_s },
      };
    const known = cameras.filter((stream) => isKnown(stream, subject));
    if (known.length === 0) return { status: 'not_assessable', reason: 'the cameras were not looked into' };
    return {
      status: 'measured',
      values: {
        cameras: known.map((stream) => factsOf(stream, subject)),
        duration_s,
      },
    };
  },
  judge({ duration_s, cameras }, notes) {
    const absent = notes.missing_camera;
    const aspects: Aspect[] = [];
    for (const camera of cameras) {
      if (camera.missing !== null) {
        if (!everywhere(absent, camera.camera, cameras)) aspects.push(missing(camera, duration_s));
        continue;
      }
      coverage(camera, duration_s, aspects);
      frameCounts(camera, duration_s, aspects);
      declared(camera, aspects);
    }
    for (const id of listOf(absent?.absent_here)) aspects.push(absentHere(id));
    return aspects;
  },
});

function isKnown(stream: Stream, { cameras }: Subject): boolean {
  if (stream.frames?.locator.type === 'missing' || stream.clock !== null) return true;
  const evidence = cameras.get(stream.id);
  return evidence !== undefined && evidence.decodable !== 'not_measured';
}

function factsOf(stream: Stream, { episode, cameras }: Subject): CameraFacts {
  const frames = stream.frames!;
  const evidence = cameras.get(stream.id);
  const { locator } = frames;
  const span = spanOf(stream, evidence, episode.duration_s);
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
    missing: missingReason(stream, evidence),
    rate_hz: container?.rate_hz == null ? null : significant(container.rate_hz),
    size_px:
      container === null || container.width_px === 0 ? null : [container.width_px, container.height_px],
  };
}

function missingReason(
  { frames, sample_count, modality }: Stream,
  evidence: CameraEvidence | undefined,
): string | null {
  if (frames?.locator.type === 'missing') return `${frames.locator.path}: ${frames.locator.reason}`;
  if (evidence?.decodable === 'missing') return evidence.reason ?? 'its file is absent';
  return modality === 'image' && sample_count === 0 ? 'it holds no picture' : null;
}

interface Span {
  readonly first_s: number;
  readonly last_s: number;
  readonly covered: number;
}

/** Where the frames lie in the episode, in seconds from its start, and the share of it that they cover. */
function spanOf(stream: Stream, evidence: CameraEvidence | undefined, duration_s: number): Span | null {
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

function missing({ camera, missing }: CameraFacts, duration_s: number): Aspect {
  return {
    flag: 'camera_missing',
    score: 0,
    observed: 0,
    message: () => `${camera} is missing: ${missing}`,
    marks: [{ stream: camera, from_s: 0, to_s: duration_s }],
  };
}

/** Absent in every episode: the dataset's finding, unless it leaves this episode without any picture. */
function everywhere(
  note: ComparedNotes[string] | undefined,
  id: string,
  cameras: readonly CameraFacts[],
): boolean {
  return listOf(note?.absent_everywhere).includes(id) && cameras.some((camera) => camera.missing === null);
}

function absentHere(id: string): Aspect {
  return {
    flag: 'camera_missing',
    score: 0,
    observed: 0,
    message: () => `${id}, which most episodes of the dataset have, is not in this one`,
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function coverage(
  { camera, covered, frames, first_s, last_s }: CameraFacts,
  duration_s: number,
  out: Aspect[],
) {
  if (covered === null || first_s === null || last_s === null || duration_s <= 0) return;
  const frame = frames !== null && frames > 1 ? covered / frames : 0;
  const late = first_s > duration_s - last_s;
  out.push({
    flag: 'camera_truncated',
    score: clamp(1 - 8 * Math.max(0, 1 - covered - frame - 0.1 / duration_s), 0, 1),
    observed: covered,
    message: () =>
      `${camera} covers ${percent(covered)} of the episode: frames from ${first_s.toFixed(2)} s to ${last_s.toFixed(2)} s of ${duration_s.toFixed(2)} s`,
    marks: [
      late
        ? { stream: camera, from_s: 0, to_s: first_s }
        : { stream: camera, from_s: last_s, to_s: duration_s },
    ],
  });
}

function frameCounts(
  { camera, expected_frames: expected, frames }: CameraFacts,
  duration_s: number,
  out: Aspect[],
) {
  if (expected === null || frames === null || expected <= 0) return;
  const lacking = (expected - frames) / expected;
  const beyondOne = Math.max(0, Math.abs(expected - frames) - 1) / expected;
  out.push({
    flag: lacking >= 0 ? 'camera_frames_missing' : 'camera_frames_extra',
    score: clamp(1 - 10 * beyondOne, 0, 1),
    observed: significant(lacking),
    message: () => `${camera} has ${frames} frames for ${expected} rows`,
    marks: [{ stream: camera, from_s: 0, to_s: duration_s }],
  });
}

function declared(facts: CameraFacts, out: Aspect[]) {
  const { camera, rate_hz, declared_rate_hz, size_px, declared_size_px } = facts;
  if (rate_hz !== null && declared_rate_hz !== null && rate_hz > 0 && declared_rate_hz > 0) {
    const deviation = Math.abs(Math.log(rate_hz / declared_rate_hz));
    out.push({
      flag: 'camera_rate_mismatch',
      score: clamp(1 - 10 * Math.max(0, deviation - 0.005), 0, 1),
      observed: rate_hz,
      message: () => `${camera} runs at ${rate_hz} Hz and is declared with ${declared_rate_hz} Hz`,
    });
  }
  if (size_px !== null && declared_size_px !== null) {
    const same = size_px[0] === declared_size_px[0] && size_px[1] === declared_size_px[1];
    out.push({
      flag: 'camera_size_mismatch',
      score: same ? 1 : 0.3,
      observed: size_px[0],
      message: () =>
        `${camera} is ${size_px.join('x')} px and is declared with ${declared_size_px.join('x')} px`,
    });
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
