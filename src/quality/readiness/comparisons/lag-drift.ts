import { significant } from '#core';
import { episodesOfThat, groupBy, someOf } from '../comparing/compared-signals.ts';
import { medianOf, spreadOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { peakLag } from '../features/lag/content-lag.ts';
import { ramp } from '../features/ramp.ts';

/** By how much the state follows its action, found by correlating their velocities. */
export type LagRow = { readonly pair: string; readonly lag_s: number; readonly step_s: number };

type Note = {
  readonly stream: string;
  readonly lag_s: number;
  readonly usual_s: number;
  /** Deviation from the usual lag in units of what is tolerated. */
  readonly excess: number;
};

const fewest = 4;
/** A lag is believed from this correlation on. */
const leastPeak = 0.6;
/** Tolerated: a step of the grid, 0.04 s, two robust standard deviations. */
const tolerated = { steps: 1, s: 0.04, spreads: 2 } as const;

/** Score of a lag so many times what is tolerated from the usual one, and from where on it is a flag and said of the set. */
const scoreOf = (excess: number): number => ramp(excess, 1, 2);
const flagged = 0.5;

export const lagDrift = defineComparison<LagRow>({
  id: 'lag_drift',
  title: 'Lag drift',
  about:
    'The lag of the state behind its action against the median over the episodes of the same streams, in units of what is tolerated (a step, 0.04 s or two robust standard deviations, whichever is most). One robot on one recorder keeps its lag; an episode that differs was shifted on the way.',
  judged_by: ['signal_sync'],
  raises: {
    check: 'signal_sync',
    flags: [
      {
        code: 'lag_drift',
        severity: 'warning',
        meaning: 'The state follows its action later or earlier than in the other episodes.',
        advice:
          'Shift the episode’s state or action by the difference named, or align both on capture times.',
        echo_of: 'action_state_lag',
      },
    ],
    judge: (note) => [
      {
        flag: 'lag_drift',
        score: scoreOf(Number(note.excess)),
        observed: Number(note.lag_s),
        message: () =>
          `${String(note.stream)} follows its action by ${Number(note.lag_s)} s, in the other episodes by ${Number(note.usual_s)} s`,
      },
    ],
  },
  collect({ features }) {
    const pair = features.pair();
    const found = features.contentLag();
    if (pair === null || found === null || found.peak < leastPeak) return null;
    return {
      lag_s: significant(peakLag(found) * found.step_s, 4),
      pair: `${pair.state.id}\n${pair.action.id}`,
      step_s: significant(found.step_s, 4),
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.pair).values()) concludeGroup(group, notes);
    const episodes = [...notes].filter(([, { excess }]) => scoreOf(excess) < flagged).map(([id]) => id);
    if (episodes.length === 0) return { findings: [], notes };
    return {
      findings: [
        {
          code: 'lag_drift',
          severity: 'warning',
          path: null,
          message: `${episodesOfThat(episodes.length, rows.length, 'has', 'have')} another lag between action and state than the rest: ${someOf(episodes)}`,
          advice: 'Align them as the others are; a policy trained on both learns neither delay.',
          evidence: { episodes: episodes.slice(0, 50) },
        },
      ],
      notes,
    };
  },
});

function concludeGroup(group: readonly ComparedRow<LagRow>[], notes: Map<string, Note>): void {
  if (group.length < fewest) return;
  const lags = group.map(({ row }) => row.lag_s);
  const usual = medianOf(lags);
  const spread = spreadOf(lags, usual);
  for (const { episode, row } of group) {
    const limit = Math.max(tolerated.steps * row.step_s, tolerated.s, tolerated.spreads * spread);
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
