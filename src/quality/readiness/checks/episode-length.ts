import type { Kind } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck } from '../check.ts';
import { ramp, roundFinite } from '../features/numeric.ts';

type Values = {
  /** `null` if the format stores no times and declares no rate, so that only samples count. */
  readonly duration_s: number | null;
  /** Number of samples of the longest stream. */
  readonly samples: number;
  /** Duration that scores 1, and duration from which the score is 0. */
  readonly long_s: readonly [number, number];
};

const manipulation_s = [600, 1800] as const;
const journey_s = [7200, 21600] as const;
const maxLengthByKind: Readonly<Record<Kind, readonly [number, number]>> = {
  teleop: manipulation_s,
  'state-only': journey_s,
  egocentric: journey_s,
  'drive-log': journey_s,
  'aerial-flight': journey_s,
  'vision-asset': journey_s,
};

export const episodeLength = defineCheck<Values>({
  id: 'episode_length',
  title: checkTitles.episode_length,
  needs: 'a known episode duration, or a stream that has samples',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'minimum of',
    aspects: [
      { what: 'duration', score: '1 from 1.5 s, 0 at 0.5 s' },
      { what: 'samples in the longest stream', score: '1 from 12, 0 at 4' },
      { what: 'maximum duration, teleoperation', score: '1 up to 10 min, 0 from 30 min' },
      { what: 'maximum duration, other kinds of data', score: '1 up to 2 h, 0 from 6 h' },
    ],
    notes: [
      'If the format stores no timestamps and no rate is declared, only the number of samples is scored',
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'middle of each ramp: 1 s and 8 samples, the shortest action chunk in use (8 to 100 steps for ACT and diffusion policies); single demonstrations in public teleoperation datasets last 2 s to 5 min',
  },
  weight: 1,
  flags: [
    {
      code: 'episode_too_short',
      severity: 'warning',
      meaning: 'The episode is shorter than an action chunk of a policy.',
      advice: 'Leave the episode out: it is a false start, or the recording was aborted.',
    },
    {
      code: 'episode_empty',
      severity: 'blocking',
      meaning: 'No stream of the episode has any samples.',
      advice: 'Leave the episode out, and check the findings for data that could not be read.',
    },
    {
      code: 'episode_too_long',
      severity: 'warning',
      meaning: 'The episode is longer than a single demonstration, drive or flight.',
      advice: 'Split the episode where the task ends; the recorder was probably left running.',
    },
  ],
  calibrated_on: 'lengths of real teleoperation, driving and flight recordings in the test data',
  measure({ episode, kind }) {
    const samples = episode.streams.reduce((most, stream) => Math.max(most, stream.sample_count), 0);
    const { duration_s } = episode;
    if (!Number.isFinite(duration_s) || duration_s < 0)
      return {
        status: 'not_assessable',
        reason: 'duration unknown: the recording has neither timestamps nor a declared rate',
      };
    if (duration_s === 0 && samples > 1 && episode.clockless !== undefined)
      return { status: 'measured', values: { duration_s: null, long_s: maxLengthByKind[kind], samples } };
    if (duration_s === 0 && samples > 1)
      return { status: 'not_assessable', reason: `${samples} samples without timestamps or a declared rate` };
    return {
      status: 'measured',
      values: { duration_s: roundFinite(duration_s), long_s: maxLengthByKind[kind], samples },
    };
  },
  judge({ duration_s, samples, long_s }) {
    if (samples === 0)
      return [{ flag: 'episode_empty', score: 0, observed: 0, message: () => 'no stream has any samples' }];
    if (duration_s === null) return [sampleCountAspect(samples)];
    const aspects: Aspect[] = [
      {
        flag: 'episode_too_short',
        score: Math.min(ramp(duration_s, 1.5, 0.5), ramp(samples, 12, 4)),
        observed: duration_s,
        message: () => `the episode lasts ${duration_s} s; its longest stream has ${formatSamples(samples)}`,
      },
      {
        flag: 'episode_too_long',
        score: ramp(duration_s, ...long_s),
        observed: duration_s,
        message: () => `the episode lasts ${roundFinite(duration_s / 60, 3)} min`,
      },
    ];
    return aspects;
  },
});

const formatSamples = (samples: number) => `${samples} ${samples === 1 ? 'sample' : 'samples'}`;

function sampleCountAspect(samples: number): Aspect {
  return {
    flag: 'episode_too_short',
    score: ramp(samples, 12, 4),
    observed: samples,
    message: () => `the longest stream of the episode has ${formatSamples(samples)}`,
  };
}
