import { z } from 'zod';
import { clamp, significant } from '#core';
import { metricTitles } from '#core/titles';
import { type Metric, notAssessable, type Observation } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const values = z.looseObject({
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
    const read = readCheck(receipt, 'signal_sync', values);
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
  streams: z.infer<typeof values>['streams'],
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
