import { z } from 'zod';
import { clamp, significant } from '#core';
import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const camera = z.looseObject({
  camera: z.string(),
  missing: z.string().nullable(),
  expected_frames: z.number().nullable(),
  frames: z.number().nullable(),
  covered: z.number().nullable(),
  served: z
    .looseObject({ rows: z.number(), absent: z.number(), off: z.number(), foreign: z.number() })
    .nullable(),
});
type Camera = z.infer<typeof camera>;
const values = z.looseObject({ duration_s: z.number(), cameras: z.array(camera) });
const absent = z.looseObject({ absent_here: z.array(z.string()) });

export const cameraCoverage: Metric = {
  id: 'camera.coverage',
  title: metricTitles['camera.coverage'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula:
    'worst declared camera: if the loader looks frames up by timestamp, the share of rows that get their own frame; otherwise the smaller of time covered / duration and frames found / frames expected; 0 if its images are missing, 1 for a single image',
  inputs:
    'files, frames and timestamps of each camera, measured by camera_coverage, and the cameras of other episodes',
  boundaries: {
    ideal: 0.99,
    review: 0.94,
    allowed_share: 0.02,
    source:
      'camera_coverage scores 0.5 at 6 % of missing time; a video may end one frame in a hundred early without shifting the rest',
  },
  observe({ receipt }) {
    const read = readCheck(receipt, 'camera_coverage', values);
    if (read.status === 'absent') return notAssessable(read.reason);
    const missingCameras = absent.safeParse(read.notes.missing_camera);
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
      provenance: 'camera_coverage, from timestamps and containers',
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
