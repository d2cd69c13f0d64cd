import { readSpans } from '../../grammar/known-spans.ts';
import { evidenceOf, type ReviewTest } from '../review-test.ts';

/** Artifacts keep times to the microsecond. */
const rounding_s = 2e-6;

export const segmentsCoverEpisode: ReviewTest = {
  id: 'segments_cover_episode',
  layer: 'segments',
  says: 'segments follow one another from the begin to the end of what was observed, without gap or overlap',
  run: (artifact) => {
    const { from_s, to_s, reason, segments } = readSpans(artifact);
    if (segments.length === 0) return reason ?? 'there are no segments';
    const faults: string[] = [];
    let until_s = from_s;
    for (const [at, segment] of segments.entries()) {
      if (segment.to_s <= segment.from_s) faults.push(`segment ${at} takes no time`);
      else if (segment.from_s > until_s + rounding_s)
        faults.push(`nothing covers ${until_s} s to ${segment.from_s} s`);
      else if (segment.from_s < until_s - rounding_s)
        faults.push(`segment ${at} begins at ${segment.from_s} s, before the one before it ends`);
      until_s = segment.to_s;
    }
    if (Math.abs(until_s - to_s) > rounding_s)
      faults.push(`the last segment ends at ${until_s} s, not ${to_s} s`);
    return evidenceOf(segments.length, faults, 'run the layer segments again');
  },
};
