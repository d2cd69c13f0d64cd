import { z } from 'zod';
import { clamp, significant } from '#core';
import { metricTitles } from '#core/titles';
import { type EpisodeEvidence, type Metric, notAssessable, type Observation } from '../metric.ts';
import { readCheck } from '../read-check.ts';
import {
  type CameraMeasurement,
  computeFlawShare,
  readPictures,
  selectDecodedCameras,
} from '../read-pictures.ts';

const cameraSchema = z.looseObject({
  camera: z.string(),
  missing: z.string().nullable(),
  expected_frames: z.number().nullable(),
  frames: z.number().nullable(),
  covered: z.number().nullable(),
  served: z
    .looseObject({ rows: z.number(), absent: z.number(), off: z.number(), foreign: z.number() })
    .nullable(),
});
type Camera = z.infer<typeof cameraSchema>;
const coverageValues = z.looseObject({ duration_s: z.number(), cameras: z.array(cameraSchema) });
const absentCameras = z.looseObject({ absent_here: z.array(z.string()) });

export const cameraCoverage: Metric = {
  id: 'camera.coverage',
  title: metricTitles['camera.coverage'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula:
    'worst declared camera: if the loader looks frames up by timestamp, the share of rows that get their own frame; otherwise the smaller of time covered / duration and frames found / frames expected; 0 if its images are missing, 1 for a single image',
  inputs:
    'files, frames and timestamps of each camera, measured by the Camera coverage check, and the cameras of other episodes',
  boundaries: {
    ideal: 0.99,
    review: 0.94,
    allowed_share: 0.02,
    source:
      'camera_coverage scores 0.5 at 6 % of missing time; a video may end one frame in a hundred early without shifting the rest',
  },
  observe({ receipt }) {
    const read = readCheck(receipt, 'camera_coverage', coverageValues);
    if (read.status === 'absent') return notAssessable(read.reason);
    const missingCameras = absentCameras.safeParse(read.notes.missing_camera);
    const shares = [
      ...read.values.cameras.map((facts) => ({
        camera: facts.camera,
        share: computeCoveredShare(facts, read.values.duration_s),
      })),
      ...(missingCameras.success ? missingCameras.data.absent_here : []).map((id) => ({
        camera: id,
        share: 0,
      })),
    ];
    const measuredShares = shares.flatMap(({ camera, share }) => (share === null ? [] : [{ camera, share }]));
    if (measuredShares.length === 0) return notAssessable('the frames have no timestamps');
    const worst = measuredShares.reduce((lowest, next) => (next.share < lowest.share ? next : lowest));
    return {
      observed: significant(worst.share),
      confidence: 'high',
      inputs: { cameras: shares.length, worst: worst.camera },
      provenance: 'measured by the Camera coverage check, from timestamps and containers',
    };
  },
};

function computeCoveredShare(
  { missing, expected_frames, frames, covered, served }: Camera,
  duration_s: number,
): number | null {
  if (missing !== null) return 0;
  if (served !== null)
    return served.rows === 0
      ? null
      : (served.rows - served.absent - served.off - served.foreign) / served.rows;
  const counted =
    expected_frames === null || frames === null || expected_frames <= 0 ? null : frames / expected_frames;
  // An episode without duration is a single picture, which covers it completely.
  if (covered === null && counted === null) return duration_s === 0 ? 1 : null;
  return clamp(Math.min(covered ?? 1, counted ?? 1), 0, 1);
}

export const cameraFrozenFrames: Metric = {
  id: 'camera.frozen_frames',
  title: metricTitles['camera.frozen_frames'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'worst camera: the larger of e / p, with p the compared pairs of consecutive frames (for encoded video, only during motion) and e the identical ones, and f / duration, with f the time in runs of identical frames of 0.4 s or more while signals move',
  inputs: 'decoded frames and encoded packets, measured by the Image integrity check',
  boundaries: {
    ideal: 0.02,
    review: 0.125,
    allowed_share: 0.05,
    source:
      'real cameras that run at their declared rate repeat no frames; image_integrity flags one frame in eight',
  },
  observe({ receipt }) {
    const read = readPictures(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const compared = read.showing.filter(({ repeats }) => repeats !== null && repeats.pairs > 0);
    if (compared.length === 0) return notAssessable('no two consecutive frames could be compared');
    const share = (camera: CameraMeasurement) => frozenShare(camera, read.duration_s);
    const worst = compared.reduce((highest, next) => (share(next) > share(highest) ? next : highest));
    return {
      observed: significant(share(worst)),
      confidence: read.confidence,
      inputs: {
        camera: worst.camera,
        pairs: worst.repeats?.pairs ?? 0,
        equal: worst.repeats?.equal ?? 0,
        frozen_s: worst.frozen.seconds,
      },
      provenance: 'measured by the Image integrity check, from consecutive frames',
    };
  },
};

function frozenShare({ repeats, frozen }: CameraMeasurement, duration_s: number): number {
  const repeated = repeats === null || repeats.pairs === 0 ? 0 : repeats.equal / repeats.pairs;
  return Math.min(1, Math.max(repeated, duration_s > 0 ? frozen.seconds / duration_s : 0));
}

const decodableGrades = { yes: 1, partial: 0.5, no: 0 } as const;

export const imageDecodable: Metric = {
  id: 'image.decodable',
  title: metricTitles['image.decodable'],
  unit: 'grade',
  direction: 'higher_is_better',
  formula: 'worst camera: 1 if every requested frame decodes, 0.5 if some do, 0 if none does',
  inputs: 'frames requested by the Image integrity check',
  boundaries: {
    ideal: 1,
    review: 0.5,
    allowed_share: 0.02,
    source:
      'a loader fails at the first frame that does not decode; the episode can be cut before the damaged part',
  },
  observe({ receipt }) {
    const read = readPictures(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const worst = read.cameras.reduce((lowest, next) =>
      decodableGrades[next.decodable] < decodableGrades[lowest.decodable] ? next : lowest,
    );
    return {
      observed: decodableGrades[worst.decodable],
      confidence: read.confidence,
      inputs: {
        camera: worst.camera,
        frames: worst.frames,
        decodable: worst.decodable,
        reason: worst.reason,
      },
      provenance: 'decoder result',
    };
  },
};

export const imageBlur: Metric = {
  id: 'image.blur',
  title: metricTitles['image.blur'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of the decoded frames whose variance of the Laplacian of luma, at 320 px width, is below 6 and below 0.006 of the variance of luma; worst camera, without placeholder cameras',
  inputs: 'decoded frames, measured by the Image integrity check',
  boundaries: {
    ideal: 0.1,
    review: 0.5,
    allowed_share: 0.05,
    source:
      'the smoothest of 150 real images is above both limits, the median image blurred by 6 px is below; image_integrity flags one frame in two',
  },
  observe: (evidence) => observeFlawedFrames(evidence, ['blurred']),
};

export const imageExposure: Metric = {
  id: 'image.exposure',
  title: metricTitles['image.exposure'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of the decoded frames that are black (mean luma ≤ 24, standard deviation ≤ 6), uniform (standard deviation ≤ 3), underexposed (85 % of the pixels ≤ 20) or overexposed (half of the pixels ≥ 235); worst camera, without placeholder cameras',
  inputs: 'decoded frames, measured by the Image integrity check',
  boundaries: {
    ideal: 0.02,
    review: 0.0625,
    allowed_share: 0.05,
    source: 'image_integrity flags one black frame in sixteen',
  },
  observe: (evidence) => observeFlawedFrames(evidence, ['black', 'blank', 'dark', 'bright']),
};

/** Observes the share of frames (0 to 1) with one of these flaws, for the camera with the largest share. */
function observeFlawedFrames({ receipt }: EpisodeEvidence, flaws: readonly string[]): Observation {
  const read = readPictures(receipt);
  if ('reason' in read) return notAssessable(read.reason);
  if (read.showing.length === 0)
    return notAssessable('every camera is a placeholder without images in the whole dataset');
  const cameras = selectDecodedCameras(read.showing);
  if (cameras.length === 0) return notAssessable('no frame could be decoded');
  const worst = cameras.reduce((best, next) =>
    computeFlawShare(next, flaws) > computeFlawShare(best, flaws) ? next : best,
  );
  return {
    observed: significant(computeFlawShare(worst, flaws)),
    confidence: read.confidence,
    inputs: { camera: worst.camera, frames: worst.frames, sharpness: worst.sharpness },
    provenance: read.confidence === 'high' ? 'all frames, decoded' : 'sampled frames, decoded',
  };
}
