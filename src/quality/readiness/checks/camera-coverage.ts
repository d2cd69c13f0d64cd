import { significant } from '#core';
import { kinds, type Stream } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck, type Subject } from '../check.ts';
import {
  absentCameraAspects,
  coverageAspects,
  frameCountAspects,
  isMissingEverywhere,
  missingAspect,
  rateAspects,
  servedAspects,
  sizeAspects,
} from './shared/camera-aspects.ts';
import { type CameraFacts, measureCamera } from './shared/camera-facts.ts';

type Values = { readonly duration_s: number; readonly cameras: readonly CameraFacts[] };

export const cameraCoverage = defineCheck<Values>({
  id: 'camera_coverage',
  title: checkTitles.camera_coverage,
  needs: 'at least one camera, present or declared by the recording',
  kinds,
  formula: {
    combine: 'minimum over the cameras of',
    aspects: [
      { what: 'file', score: 'present 1, missing 0' },
      {
        what: 'if the format’s own loader looks frames up by timestamp (LeRobot): any row without a frame, with a rejected frame (0.1 ms or more off its timestamp) or with a frame of another episode; any frame without a row',
        score: '0',
      },
      {
        what: 'otherwise: coverage c = time from first to last frame / duration',
        score: '1 − 8 · max(0, 1 − c − one frame − 0.1 s)',
      },
      {
        what: 'otherwise: missing frames m = (expected − found) / expected',
        score: '1 − 10 · m beyond one frame',
      },
      {
        what: 'rate r = container rate / declared rate, unless the rows have the rate of the container',
        score: '1 − 10 · max(0, |ln r| − 0.005)',
      },
      { what: 'image size that differs from other episodes', score: '0' },
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'LeRobot: the frames that its loader (0.3.3, 0.4.4) finds for each row; otherwise 0.5 at 6 % of the time, 5 % of the frames or 5 % of the rate, beyond which images and actions drift apart by more than half a second in ten; drop-frame rates (29.97 for 30) pass',
  },
  weight: 2,
  flags: [
    {
      code: 'camera_missing',
      severity: 'blocking',
      meaning: 'A declared camera has no images in this episode.',
      advice: 'Restore the missing file, or remove the camera from the metadata of the whole dataset.',
    },
    {
      code: 'camera_truncated',
      severity: 'blocking',
      meaning: 'The camera starts after, or ends before, the rest of the episode.',
      advice: 'Restore the full video, or trim the episode to the time that all streams cover.',
    },
    {
      code: 'camera_frames_missing',
      severity: 'blocking',
      meaning: 'Some rows have no frame: the video ends too early or has a gap.',
      advice: 'Record or encode the video again, or drop the rows without a frame.',
    },
    {
      code: 'camera_frames_foreign',
      severity: 'blocking',
      meaning: 'The loader silently returns frames of another episode in the same file.',
      advice:
        'Frames are missing earlier in the file, so images are shifted relative to the rows: record or encode the episode again, or leave it out.',
    },
    {
      code: 'camera_rows_refused',
      severity: 'blocking',
      meaning: 'Frame timestamps differ from the row timestamps by more than the loader tolerates (0.1 ms).',
      advice:
        'Write from_timestamp as (frames before the episode) / fps, and encode videos at the rate of the rows with exact timestamps; or load with the tolerance_s given in the message.',
    },
    {
      code: 'camera_window_past_file',
      severity: 'blocking',
      meaning: 'The episode’s window in the video file starts after the last frame of the file.',
      advice:
        'Let from_timestamp start at 0 in each video file instead of continuing from the previous file.',
    },
    {
      code: 'camera_frames_extra',
      severity: 'warning',
      meaning: 'The camera has more frames than the episode has rows.',
      advice:
        'Check for frames of a discarded take after the episode and cut them; the rows keep their frames.',
    },
    {
      code: 'camera_rate_mismatch',
      severity: 'warning',
      meaning: 'The measured frame rate differs from the declared rate.',
      advice: 'Correct the declared rate, or encode the video again with the real frame timestamps.',
    },
    {
      code: 'camera_size_mismatch',
      severity: 'blocking',
      meaning:
        'The images differ in size from the same camera in other episodes, or from the size that their labels declare.',
      advice: 'Resize all episodes to one size, or leave this one out.',
    },
  ],
  calibrated_on:
    'real datasets with and without missing videos; videos cut, thinned out and re-timed by known amounts; rows of LeRobot datasets compared with the frames that torchcodec returns',
  measure(subject) {
    const cameras = subject.episode.streams.filter((stream) => stream.frames !== undefined);
    const duration_s = significant(subject.episode.duration_s);
    if (cameras.length === 0)
      return {
        status: 'inapplicable',
        reason: 'the episode has no camera',
        if_noted: { cameras: [], duration_s },
      };
    const measurable = cameras.filter((stream) => isMeasurable(stream, subject));
    if (measurable.length === 0) return { status: 'not_assessable', reason: 'the cameras were not read' };
    return {
      status: 'measured',
      values: {
        cameras: measurable.map((stream) => measureCamera(stream, subject)),
        duration_s,
      },
    };
  },
  judge({ duration_s, cameras }, notes) {
    const absent = notes.missing_camera;
    const aspects: Aspect[] = [];
    for (const camera of cameras) {
      if (camera.missing !== null) {
        if (!isMissingEverywhere(absent, camera.camera, cameras))
          aspects.push(missingAspect(camera, duration_s));
        continue;
      }
      // The wrong rate is then a finding of the dataset, and no reason to doubt a camera with all frames.
      const isSetsRate = notes.wrong_rate?.camera_rate_hz !== undefined;
      if (camera.served !== null) aspects.push(...servedAspects(camera, camera.served));
      else {
        if (!(isSetsRate && hasAllFrames(camera))) aspects.push(...coverageAspects(camera, duration_s));
        aspects.push(...frameCountAspects(camera, duration_s));
      }
      if (!isSetsRate) aspects.push(...rateAspects(camera));
    }
    return [...aspects, ...sizeAspects(notes.declared_pictures, cameras), ...absentCameraAspects(absent)];
  },
});

/** Returns `true` if all expected frames exist, within one, whatever rate the recording declares. */
const hasAllFrames = ({ frames, expected_frames }: CameraFacts): boolean =>
  frames !== null && expected_frames !== null && Math.abs(frames - expected_frames) <= 1;

function isMeasurable(stream: Stream, { cameras }: Subject): boolean {
  if (stream.frames?.locator.type === 'missing' || stream.clock !== null) return true;
  const evidence = cameras.get(stream.id);
  if (evidence === undefined) return false;
  return evidence.decodable !== 'not_measured' || evidence.container !== null;
}
