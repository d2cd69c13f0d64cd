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
  needs: 'at least one camera, present or named by the recording',
  kinds,
  formula: {
    combine: 'least over the cameras of',
    aspects: [
      { what: 'file', score: 'present 1, absent 0' },
      {
        what: 'where the format’s own loader asks by time (LeRobot): a row without a frame, with a refused frame (0.1 ms and more beside its time) or one of another episode; a frame without a row',
        score: '0',
      },
      {
        what: 'elsewhere: coverage c = time from first to last frame / duration',
        score: '1 − 8 · max(0, 1 − c − one frame − 0.1 s)',
      },
      {
        what: 'elsewhere: missing frames m = (expected − found) / expected',
        score: '1 − 10 · m beyond one frame',
      },
      {
        what: 'rate r = container rate / declared rate, unless the rows run at the container’s',
        score: '1 − 10 · max(0, |ln r| − 0.005)',
      },
      { what: 'a size unlike that of other episodes', score: '0' },
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'LeRobot: what its loader (0.3.3, 0.4.4) finds for each row; elsewhere halves at 6 % of the time, 5 % of the frames, 5 % of the rate: more shifts pictures against actions by over half a second in ten; drop-frame rates (29.97 for 30) stay clean',
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
      severity: 'blocking',
      meaning: 'Rows have no frame: the video ends before them, or has a hole.',
      advice: 'Record or encode the video again, or drop the rows that have no frame.',
    },
    {
      code: 'camera_frames_foreign',
      severity: 'blocking',
      meaning: 'Rows get frames of another episode in the same file, without an error.',
      advice:
        'Frames are missing before them, so that pictures are shifted against rows: record or encode the episode again, or leave it out.',
    },
    {
      code: 'camera_rows_refused',
      severity: 'blocking',
      meaning: 'Frames lie farther from the times of their rows than the loader tolerates (0.1 ms).',
      advice:
        'Write from_timestamp as (frames before the episode) / fps and encode videos at the rate of the rows, with stamps that hold it exactly; or load with the tolerance_s named in the finding.',
    },
    {
      code: 'camera_window_past_file',
      severity: 'blocking',
      meaning: 'The episode’s window in the video file begins after the file’s last frame.',
      advice: 'Count from_timestamp from the start of each video file, not from the end of the previous one.',
    },
    {
      code: 'camera_frames_extra',
      severity: 'warning',
      meaning: 'The camera has more frames than the table has rows.',
      advice:
        'Check whether frames of a discarded take follow the episode, and cut them off; rows keep their own frames.',
    },
    {
      code: 'camera_rate_mismatch',
      severity: 'warning',
      meaning: 'The rate of the frames is not the rate that the recording declares.',
      advice: 'Correct the declared rate, or encode the video again with the stamps of its frames.',
    },
    {
      code: 'camera_size_mismatch',
      severity: 'blocking',
      meaning:
        'The pictures have another size than the same camera’s in the other episodes, or than their labels declare.',
      advice: 'Bring all episodes to one size, or leave this one out.',
    },
  ],
  calibrated_on:
    'real sets with and without missing videos; videos cut, thinned and re-stamped by known amounts; rows of LeRobot sets against what torchcodec serves',
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
    if (measurable.length === 0)
      return { status: 'not_assessable', reason: 'the cameras were not looked into' };
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
