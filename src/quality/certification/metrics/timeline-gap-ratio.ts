import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

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
