import type { ActionGroup, ActionSpace, ActionSpaceDiagnosis, Representation } from '#core/api';
import { roundFinite } from '../features/numeric.ts';
import type { ColumnFits } from './column-fits.ts';
import { LayoutPool, type PooledColumn } from './layout-pool.ts';
import { readGroup } from './read-group.ts';
import { extractSignals, type MissingSignals, type SignalEpisode } from './signals.ts';

const missingReasons: Readonly<Record<MissingSignals, string>> = {
  'no action': 'no episode has a numeric action stream',
  'no state': 'no episode has a numeric state to compare its actions with',
  'too short': 'every episode is too short: at least 8 rows of actions are required',
};

/**
 * Diagnoses how actions are stored, from their names and their effect on the measured state. Add the episodes
 * one by one; the same order gives the same answer. Keeps sums, not episodes.
 */
export class ActionSpaceStatistics {
  readonly #pools = new Map<string, LayoutPool>();
  readonly #without = new Map<MissingSignals, number>();
  #episodes = 0;

  /** Adds an episode; one without usable actions and states is only counted, with the reason. */
  add(episode: SignalEpisode): void {
    this.#episodes++;
    const signals = extractSignals(episode);
    if (typeof signals === 'string') {
      this.#without.set(signals, (this.#without.get(signals) ?? 0) + 1);
      return;
    }
    const pool = this.#pools.get(signals.layout) ?? new LayoutPool(signals);
    this.#pools.set(signals.layout, pool);
    pool.add(signals);
  }

  /**
   * Returns the diagnosis of the layout that most episodes have; `not_assessable` with the most frequent reason if no
   * episode could be used.
   */
  conclude(): ActionSpaceDiagnosis {
    const pool = [...this.#pools.values()].reduce<LayoutPool | null>(
      (most, next) => (most === null || next.episodes > most.episodes ? next : most),
      null,
    );
    const withoutSignals = [...this.#without.values()].reduce((sum, count) => sum + count, 0);
    if (pool === null) return { status: 'not_assessable', reason: this.#whyNothing() };
    const groups = groupBySpace(pool);
    const main = selectMainGroup(groups);
    const agreeing = main.representation === 'undetermined' ? 0 : pool.countVotes(main.representation);
    const { representation, confidence } = combineEpisodes(main, agreeing / pool.episodes, pool.episodes);
    return {
      status: 'diagnosed',
      representation,
      space: main.space,
      confidence,
      groups,
      episodes: {
        looked_at: this.#episodes,
        agreeing,
        other_layout: this.#episodes - withoutSignals - pool.episodes,
        without_signals: withoutSignals,
      },
      findings: listFindings(groups, main, { pools: this.#pools.size, agreeing, episodes: pool.episodes }),
      conversions: listConversions(main),
    };
  }

  #whyNothing(): string {
    if (this.#episodes === 0) return 'no episode has stored samples';
    const [mostFrequent] = [...this.#without].sort(([, a], [, b]) => b - a);
    return missingReasons[mostFrequent[0]];
  }
}

const spaceOrder: readonly ActionSpace[] = ['joint', 'end_effector', 'base', 'unknown', 'gripper'];

/** Groups columns by space; a column of unknown space takes the space of the state that it moves. */
function groupBySpace(pool: LayoutPool): ActionGroup[] {
  const bySpace = new Map<ActionSpace, PooledColumn[]>();
  for (const found of pool.columns()) {
    const column = inheritPartnerSpace(found);
    const members = bySpace.get(column.space.space) ?? [];
    members.push(column);
    bySpace.set(column.space.space, members);
  }
  return spaceOrder.flatMap((space) => {
    const columns = bySpace.get(space);
    return columns === undefined ? [] : [readGroup(space, columns, pool.first.rate_hz)];
  });
}

/** Minimum fraction of a state's motion that an action must explain to count as its command. */
const minExplainedByAction = 0.6;

function inheritPartnerSpace(column: PooledColumn): PooledColumn {
  const { space, partner_space, partner_column, fits } = column;
  if (space.space !== 'unknown' || partner_space === null || partner_space.space === 'unknown') return column;
  if (fits === null || computeMaxExplained(fits) < minExplainedByAction) return column;
  return {
    ...column,
    space: {
      space: partner_space.space,
      evidence: 'measured',
      reason: `moves ${partner_column!.stream}[${partner_column!.dimension}]`,
    },
  };
}

function computeMaxExplained({ level, change }: ColumnFits): number {
  return Math.max(
    ...level.map(({ explained }) => explained),
    ...change.flat().map(({ explainedThroughZero }) => explainedThroughZero),
  );
}

/** Returns the main group: the one with most compared columns, arms before grippers. */
function selectMainGroup(groups: readonly ActionGroup[]): ActionGroup {
  const arms = groups.filter(({ space, compared }) => space !== 'gripper' && compared > 0);
  const candidates = arms.length > 0 ? arms : groups;
  return candidates.reduce((main, next) => (next.compared > main.compared ? next : main));
}

/** Minimum fraction of episodes that agree for the dataset to have one representation. */
const minAgreeingShare = 0.8;

function combineEpisodes(
  main: ActionGroup,
  agreeing: number,
  episodes: number,
): { representation: Representation | 'mixed' | 'undetermined'; confidence: number } {
  if (main.representation === 'undetermined')
    return { representation: 'undetermined', confidence: main.confidence };
  if (episodes > 1 && agreeing < minAgreeingShare)
    return { representation: 'mixed', confidence: roundFinite(main.confidence * agreeing, 2) };
  const few = episodes === 1 ? 0.8 : 1;
  return {
    representation: main.representation,
    confidence: roundFinite(main.confidence * few * agreeing, 2),
  };
}

interface PoolCounts {
  readonly pools: number;
  readonly agreeing: number;
  readonly episodes: number;
}

function listFindings(groups: readonly ActionGroup[], main: ActionGroup, counts: PoolCounts): string[] {
  const findings: string[] = [];
  if (counts.pools > 1)
    findings.push(
      `the episodes have ${counts.pools} different layouts of streams and dimensions and cannot be batched together`,
    );
  if (main.representation !== 'undetermined' && counts.agreeing < minAgreeingShare * counts.episodes)
    findings.push(
      `only ${counts.agreeing} of ${counts.episodes} episodes are ${main.representation} when analysed individually: representations seem to be mixed`,
    );
  for (const group of groups) {
    if (
      group !== main &&
      group.representation !== 'undetermined' &&
      group.representation !== main.representation
    )
      findings.push(
        `${group.space} actions are ${group.representation}, ${main.space} actions ${main.representation}`,
      );
    if (group.units === 'scaled' && group.representation === 'step_delta')
      findings.push(
        `one unit of ${group.space} action moves the state by ${group.gain} per row: the action is either scaled for a controller or a target that is reached over several rows`,
      );
    if (copiesState(group))
      findings.push(
        `${group.space} actions are identical to the state ${group.lag_rows} rows later: they were computed from the measured state, not recorded as commands`,
      );
  }
  return findings;
}

function copiesState({ representation, scores, gain, lag_rows }: ActionGroup): boolean {
  return representation === 'absolute' && scores.absolute >= 0.99999 && gain === 1 && lag_rows !== null;
}

type Conversions = Extract<ActionSpaceDiagnosis, { status: 'diagnosed' }>['conversions'];

/** Lists conversions from the stored representation to others, and whether each is lossless. */
function listConversions({ representation, units, relative_to, chunk_rows }: ActionGroup): Conversions {
  if (representation === 'absolute')
    return [
      {
        to: 'chunk_relative',
        lossless: true,
        how: 'when building a batch, subtract the state at the first row of the chunk from each of its actions',
      },
      {
        to: 'step_delta',
        lossless: true,
        how: 'subtract the action of the previous row (for the first row: the state)',
      },
    ];
  if (representation === 'chunk_relative') {
    const where =
      chunk_rows === null ? 'the episode’s first row' : `rows 0, ${chunk_rows}, ${2 * chunk_rows}, …`;
    return [
      {
        to: 'absolute',
        lossless: units === 'as_state',
        how: `add the state at ${where}${formatScaledNote(units)}`,
      },
      { to: 'step_delta', lossless: units === 'as_state', how: 'convert to absolute actions first' },
    ];
  }
  if (representation !== 'step_delta') return [];
  if (relative_to === 'measured_state')
    return [
      {
        to: 'absolute',
        lossless: units === 'as_state',
        how: `add the state of the same row${formatScaledNote(units)}`,
      },
    ];
  return [
    {
      to: 'absolute',
      lossless: false,
      how: `sum up, starting at the first state${formatScaledNote(units)}; errors accumulate, so compare the sum with the measured state`,
    },
    {
      to: 'chunk_relative',
      lossless: units === 'as_state',
      how: `sum up within the chunk${formatScaledNote(units)}`,
    },
  ];
}

const formatScaledNote = (units: ActionGroup['units']): string =>
  units === 'as_state' ? '' : ', after converting the actions to the unit of the state';
