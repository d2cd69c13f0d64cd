import { z } from 'zod';
import { clamp, significant } from '#core';
import { metricTitles } from '#core/titles';
import { type Metric, notAssessable, type Observation } from '../metric.ts';
import { readCheck } from '../read-check.ts';

export const timelineMonotonic: Metric = {
  id: 'timeline.monotonic',
  title: metricTitles['timeline.monotonic'],
  unit: 'stamps',
  direction: 'lower_is_better',
  formula:
    'number of timestamps t[i] that are not finite or smaller than t[i−1], summed over the streams of the episode',
  inputs: 'all timestamps of each sensor, state, action and camera stream',
  boundaries: {
    ideal: 0,
    review: 0,
    allowed_share: 0,
    source: 'a sample without a valid timestamp cannot be aligned; the readiness check blocks at one',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no fixed-rate stream has recorded timestamps');
    const { clocks, samples, reversals, non_finite } = timeline;
    return {
      observed: reversals + non_finite,
      confidence: 'high',
      inputs: { clocks, samples, reversals, non_finite },
      provenance: 'timestamps of the source',
    };
  },
};

/** Largest share of moving rows with leaps in clean recordings. */
const cleanLeapShare = 0.014;
/** Moving rows that a share needs to be meaningful. */
const minMovingRows = 20;

export const timelineGapRatio: Metric = {
  id: 'timeline.gap_ratio',
  title: metricTitles['timeline.gap_ratio'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'recorded timestamps: m / (n + m), with n the recorded samples and m the samples that would fill the intervals longer than 1.75 Δ̃, maximum over the streams; or the share of time lost according to the recorder, if that is larger. Computed timestamps: max(0, (l − 1) / r − 0.014), with l the rows at which state and action jump together and r the moving rows; clean recordings reach 0.014',
  inputs: 'recorded timestamps and losses logged by the recorder; otherwise the rows of state and action',
  boundaries: {
    ideal: 0.005,
    review: 0.0275,
    allowed_share: 0.05,
    source:
      'start and middle of the ramp of timeline_integrity; Aria VrsHealthCheck warns at 1 % and fails at 2 to 10 %',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no fixed-rate stream has recorded timestamps');
    const { lost_share, lost_stream, dropped_share, rows } = timeline;
    if (lost_share !== null)
      return {
        observed: Math.max(lost_share, dropped_share ?? 0),
        confidence: 'high',
        inputs: { lost_share, stream: lost_stream, dropped_share },
        provenance: 'recorded timestamps',
      };
    if (rows === null || rows.moving < minMovingRows)
      return notAssessable(
        'all timestamps are computed (row / rate), and the signals are too short or move too little to reveal missing rows',
      );
    const { moving, leaping } = rows;
    return {
      observed: significant(Math.max(0, Math.max(0, leaping - 1) / moving - cleanLeapShare)),
      confidence: 'medium',
      inputs: { moving, leaping },
      provenance: 'jumps of state and action, because the timestamps are computed',
    };
  },
};

export const timelineJitter: Metric = {
  id: 'timeline.jitter',
  title: metricTitles['timeline.jitter'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    '95th percentile of |Δ/Δ̃ − 1|, with Δ the intervals between timestamps (without gaps) and Δ̃ their median; maximum over the streams',
  inputs: 'recorded timestamps of fixed-rate streams',
  boundaries: {
    ideal: 0.35,
    review: 0.65,
    allowed_share: 0.05,
    source:
      'start and middle of the ramp of timeline_integrity, calibrated on real ROS 1 and ROS 2 recordings',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no fixed-rate stream has recorded timestamps');
    if (timeline.jitter === null)
      return notAssessable('all timestamps are computed (row / rate) and regular by construction');
    return {
      observed: timeline.jitter,
      confidence: 'high',
      inputs: { recorded_clocks: timeline.recorded, stream: timeline.jitter_stream },
      provenance: 'recorded timestamps',
    };
  },
};

const overlapValues = z.looseObject({
  window_s: z.tuple([z.number(), z.number()]).nullable(),
  streams: z.array(z.looseObject({ stream: z.string(), first_s: z.number().nullable(), last_s: z.number() })),
});

export const syncOverlap: Metric = {
  id: 'sync.overlap',
  title: metricTitles['sync.overlap'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula:
    'recorded timestamps: (earliest last timestamp − latest first timestamp) / (latest last timestamp − earliest first timestamp), over the fixed-rate streams. Rows of one table: share of rows with both state and action, which is 1',
  inputs: 'first and last timestamp of each stream; whether state and action are rows of one table',
  boundaries: {
    ideal: 0.98,
    review: 0.92,
    allowed_share: 0.05,
    source: 'start and middle of the ramp of signal_sync: a stream misses 2 % and 8 % of the time',
  },
  observe({ receipt }) {
    const read = readCheck(receipt, 'signal_sync', overlapValues);
    if (read.status === 'measured' && read.values.window_s !== null)
      return observeOverlap(read.values.streams, read.values.window_s);
    if (receipt.facts?.same_rows === true)
      return {
        observed: 1,
        confidence: 'medium',
        inputs: { same_rows: true },
        provenance: 'state and action are rows of one table; this does not prove simultaneous capture',
      };
    return notAssessable(
      read.status === 'absent' ? read.reason : 'fewer than two streams have recorded timestamps',
    );
  },
};

function observeOverlap(
  streams: z.infer<typeof overlapValues>['streams'],
  [from_s, to_s]: readonly [number, number],
): Observation {
  const whole_s = to_s - from_s;
  if (!(whole_s > 0)) return notAssessable('the streams have no duration');
  const first_s = Math.max(from_s, ...streams.map((stream) => stream.first_s ?? from_s));
  const last_s = Math.min(to_s, ...streams.map((stream) => stream.last_s));
  return {
    observed: significant(clamp((last_s - first_s) / whole_s, 0, 1)),
    confidence: 'high',
    inputs: { from_s, to_s, first_s, last_s },
    provenance: 'first and last recorded timestamps',
  };
}

export const syncContentLag: Metric = {
  id: 'sync.content_lag',
  title: metricTitles['sync.content_lag'],
  unit: 'ms',
  direction: 'lower_is_better',
  formula:
    '|k| at the peak of ρ(image[i], speed[i − k]), refined by a parabola, |k| ≤ 1 s: rank correlation of the change between consecutive frames with the speed of the signals; camera with the largest lag among those with a clear peak. Clear: ρ ≥ 0.5, width at half maximum at most 0.6 s, no other peak above 0.75 of it, signals moving 10 to 95 % of the time',
  inputs:
    'motion in each camera and speed of state or IMU, by recorded timestamps or by the frame lookup of the loader',
  boundaries: {
    ideal: 50,
    review: 150,
    allowed_share: 0.05,
    source:
      'chosen: one and five frames at 30 Hz; policies are trained on the image and the action of the same row',
  },
  observe({ receipt }) {
    const lag = receipt.facts?.content_lag;
    if (lag === undefined)
      return notAssessable('the motion in no camera could be compared with the speed of a signal');
    const { lag_ms, sure, reason, control_delay_ms, ...peak } = lag;
    return {
      observed: Math.abs(lag_ms),
      confidence: sure ? 'high' : 'low',
      inputs: { lag_ms, ...peak },
      provenance: 'motion visible in both images and signals; not evidence of hardware synchronization',
      diagnostics: { control_delay_ms, ...(reason === null ? {} : { for_review: reason }) },
    };
  },
};
