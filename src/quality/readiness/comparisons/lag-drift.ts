import { significant } from '#core';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { interpolatePeakLag } from '../features/content-lag.ts';
import { computeMedian, computeSpread, ramp } from '../features/numeric.ts';
import { formatEpisodeList, formatEpisodeShare, groupBy } from './shared/comparison-rows.ts';

/** Lag of the state behind its action, measured by correlating their velocities. */
export type LagRow = { readonly pair: string; readonly lag_s: number; readonly step_s: number };

type Note = {
  readonly stream: string;
  readonly lag_s: number;
  readonly usual_s: number;
  /** Deviation from the usual lag, as a multiple of the tolerance. */
  readonly excess: number;
};

const minLags = 4;
/** Minimum correlation for a lag to be used. */
const minPeak = 0.6;
/** Tolerance: the largest of one grid step, 0.04 s and two robust standard deviations. */
const tolerance = { steps: 1, s: 0.04, spreads: 2 } as const;

/**
 * Scores a deviation given as a multiple of the tolerance; below `flagThreshold` it is a flag and part of the
 * dataset's finding.
 */
const scoreExcess = (excess: number): number => ramp(excess, 1, 2);
const flagThreshold = 0.5;

/** Describes a lag of the state behind its action in s; negative values are a lead. */
const lagText = (lag_s: number): string =>
  `${lag_s < 0 ? 'leads' : 'lags behind'} its action by ${significant(Math.abs(lag_s), 3)} s`;

export const lagDrift = defineComparison<LagRow>({
  id: 'lag_drift',
  title: comparisonTitles.lag_drift,
  about:
    'Deviation of the lag between action and state from the median over the episodes with the same streams, in units of the tolerance (one sample interval, 0.04 s or two robust standard deviations, whichever is largest). One robot with one recorder has a constant lag; an episode that differs was shifted in time.',
  judged_by: ['signal_sync'],
  raises: {
    check: 'signal_sync',
    flags: [
      {
        code: 'lag_drift',
        severity: 'warning',
        meaning: 'The lag between action and state differs from the other episodes.',
        advice: 'Shift state or action by the reported difference, or align both by capture time.',
        echo_of: 'action_state_lag',
      },
    ],
    judge: (note) => [
      {
        flag: 'lag_drift',
        score: scoreExcess(Number(note.excess)),
        observed: Number(note.lag_s),
        message: () =>
          `${String(note.stream)} ${lagText(Number(note.lag_s))}; in the other episodes it ${lagText(Number(note.usual_s))}`,
      },
    ],
  },
  collect({ features }) {
    const pair = features.pair();
    const found = features.contentLag();
    if (pair === null || found === null || found.peak < minPeak) return null;
    return {
      lag_s: significant(interpolatePeakLag(found) * found.step_s, 4),
      pair: `${pair.state.id}\n${pair.action.id}`,
      step_s: significant(found.step_s, 4),
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.pair).values()) concludeGroup(group, notes);
    const episodes = [...notes]
      .filter(([, { excess }]) => scoreExcess(excess) < flagThreshold)
      .map(([id]) => id);
    if (episodes.length === 0) return { findings: [], notes };
    return {
      findings: [
        {
          code: 'lag_drift',
          severity: 'warning',
          path: null,
          message: `${formatEpisodeShare(episodes.length, rows.length, 'has', 'have')} a different lag between action and state than the rest: ${formatEpisodeList(episodes)}`,
          advice:
            'Shift state or action so that the lag is the same in all episodes; a policy trained on mixed lags learns none of them.',
          evidence: { episodes: episodes.slice(0, 50) },
        },
      ],
      notes,
    };
  },
});

function concludeGroup(group: readonly ComparisonRow<LagRow>[], notes: Map<string, Note>): void {
  if (group.length < minLags) return;
  const lags = group.map(({ row }) => row.lag_s);
  const usual = computeMedian(lags);
  const spread = computeSpread(lags, usual);
  for (const { episode, row } of group) {
    const limit = Math.max(tolerance.steps * row.step_s, tolerance.s, tolerance.spreads * spread);
    const excess = Math.abs(row.lag_s - usual) / limit;
    if (excess <= 1) continue;
    const stream = row.pair.slice(0, row.pair.indexOf('\n'));
    notes.set(episode, {
      excess: significant(excess, 3),
      lag_s: row.lag_s,
      stream,
      usual_s: significant(usual, 4),
    });
  }
}
