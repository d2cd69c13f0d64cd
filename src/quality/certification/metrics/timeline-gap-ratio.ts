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
    'recorded stamps: m / (n + m), with m the samples that would fill the steps over 1.75 Δ̃ and n the samples there, the largest over the clocks, or the share of time that the recorder says it dropped where that is more. Computed stamps: max(0, (l − 1) / r − 0.014), with l the rows at which state and action leap together and r the rows that move; clean recordings reach 0.014',
  inputs: 'recorded stamps, what the recorder notes of its losses; else the rows of state and action',
  boundaries: {
    ideal: 0.005,
    review: 0.0275,
    allowed_share: 0.05,
    source:
      'start and middle of the ramp of timeline_integrity; Aria VrsHealthCheck warns at 1 % and fails at 2 to 10 %',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no stream that keeps a rate has stamps in the source');
    const { lost_share, lost_stream, dropped_share, rows } = timeline;
    if (lost_share !== null)
      return {
        observed: Math.max(lost_share, dropped_share ?? 0),
        confidence: 'high',
        inputs: { lost_share, stream: lost_stream, dropped_share },
        provenance: 'recorded stamps',
      };
    if (rows === null || rows.moving < minMovingRows)
      return notAssessable(
        'every stamp is computed (row / rate), and the signals are too short or too still to show missing rows',
      );
    const { moving, leaping } = rows;
    return {
      observed: significant(Math.max(0, Math.max(0, leaping - 1) / moving - cleanLeapShare)),
      confidence: 'medium',
      inputs: { moving, leaping },
      provenance: 'leaps of state and action, since the stamps are computed',
    };
  },
};
