import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';
import { readMotions } from '../read-motions.ts';

/** Rows that an action needs for its limits to be visible. */
const minRows = 30;

export const actionSaturation: Metric = {
  id: 'action.saturation',
  title: metricTitles['action.saturation'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of rows in which a dimension of the action is exactly at its minimum or maximum for three or more rows while others move; worst dimension, 0 if below 5 %',
  inputs: 'rows of the action, measured by kinematic_sanity',
  boundaries: {
    ideal: 0.08,
    review: 0.16,
    allowed_share: 0.05,
    source: 'start and middle of the ramp of kinematic_sanity; clean episodes reach 4.5 %',
  },
  observe({ receipt }) {
    const read = readMotions(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const actions = read.motions.filter(({ role }) => role === 'action');
    if (actions.length === 0) return notAssessable('no numeric action');
    const long = actions.filter(
      ({ samples, stream }) => samples >= minRows && !read.usual.has(`signal_saturated ${stream}`),
    );
    if (long.length === 0)
      return notAssessable('the action has fewer than 30 rows, or the whole dataset shares its limits');
    const size = (saturated: (typeof long)[number]['saturated']) => saturated?.size ?? 0;
    const worst = long.reduce((best, next) => (size(next.saturated) > size(best.saturated) ? next : best));
    return {
      observed: size(worst.saturated),
      confidence: 'high',
      inputs: {
        stream: worst.stream,
        dimension: worst.saturated?.dimension ?? null,
        rows: worst.samples,
      },
      provenance: 'kinematic_sanity, over every row',
    };
  },
};
