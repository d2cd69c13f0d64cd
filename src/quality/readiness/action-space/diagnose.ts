import type { ActionGroup, ActionSpace, ActionSpaceDiagnosis, Representation } from '#core/api';
import { plain } from '../features/plain.ts';
import type { ColumnFits } from './column-fits.ts';
import { LayoutPool, type PooledColumn, readGroup } from './read-group.ts';
import { type NoSignals, type SignalEpisode, signalsOf } from './signals.ts';

const reasons: Readonly<Record<NoSignals, string>> = {
  'no action': 'no episode has a numeric action stream: there is no command to diagnose',
  'no state': 'no episode has a numeric state beside its actions: what an action does cannot be seen',
  'too short': 'every episode is too short: eight rows of actions are the least',
};

/**
 * Tells how actions are stored, from their names and from what they do to the measured state. Give it the episodes one
 * after the other, in the same order for the same answer; it keeps sums, not episodes.
 */
export class ActionSpaceStatistics {
  readonly #pools = new Map<string, LayoutPool>();
  readonly #without = new Map<NoSignals, number>();
  #episodes = 0;

  add(episode: SignalEpisode): void {
    this.#episodes++;
    const signals = signalsOf(episode);
    if (typeof signals === 'string') {
      this.#without.set(signals, (this.#without.get(signals) ?? 0) + 1);
      return;
    }
    const pool = this.#pools.get(signals.layout) ?? new LayoutPool(signals);
    this.#pools.set(signals.layout, pool);
    pool.add(signals);
  }

  conclude(): ActionSpaceDiagnosis {
    const pool = [...this.#pools.values()].reduce<LayoutPool | null>(
      (most, next) => (most === null || next.episodes > most.episodes ? next : most),
      null,
    );
    const without = [...this.#without.values()].reduce((sum, count) => sum + count, 0);
    if (pool === null) return { status: 'not_assessable', reason: this.#whyNothing() };
    const groups = groupsOf(pool);
    const main = mainGroup(groups);
    const agreeing = main.representation === 'undetermined' ? 0 : pool.votesFor(main.representation);
    const { representation, confidence } = overall(main, agreeing / pool.episodes, pool.episodes);
    return {
      status: 'diagnosed',
      representation,
      space: main.space,
      confidence,
      groups,
      episodes: {
        looked_at: this.#episodes,
        agreeing,
        other_layout: this.#episodes - without - pool.episodes,
        without_signals: without,
      },
      findings: findingsOn(groups, main, { pools: this.#pools.size, agreeing, episodes: pool.episodes }),
      conversions: conversionsOf(main),
    };
  }

  #whyNothing(): string {
    if (this.#episodes === 0) return 'there is no episode whose numbers were kept';
    const [most] = [...this.#without].sort(([, a], [, b]) => b - a);
    return reasons[most[0]];
  }
}

const order: readonly ActionSpace[] = ['joint', 'end_effector', 'base', 'unknown', 'gripper'];

/** Columns of one space together; what no name tells takes the space of the state that it moves. */
function groupsOf(pool: LayoutPool): ActionGroup[] {
  const bySpace = new Map<ActionSpace, PooledColumn[]>();
  for (const found of pool.columns()) {
    const column = inherited(found);
    const members = bySpace.get(column.space.space) ?? [];
    members.push(column);
    bySpace.set(column.space.space, members);
  }
  return order.flatMap((space) => {
    const columns = bySpace.get(space);
    return columns === undefined ? [] : [readGroup(space, columns, pool.first.rate_hz)];
  });
}

/** An action must explain this much of a state’s motion to be taken for its command. */
const commands = 0.6;

function inherited(column: PooledColumn): PooledColumn {
  const { space, partner_space, partner_column, fits } = column;
  if (space.space !== 'unknown' || partner_space === null || partner_space.space === 'unknown') return column;
  if (fits === null || mostExplained(fits) < commands) return column;
  return {
    ...column,
    space: {
      space: partner_space.space,
      evidence: 'measured',
      reason: `moves ${partner_column!.stream}[${partner_column!.dimension}]`,
    },
  };
}

function mostExplained({ level, change }: ColumnFits): number {
  return Math.max(
    ...level.map(({ explained }) => explained),
    ...change.flat().map(({ explainedThroughZero }) => explainedThroughZero),
  );
}

/** The part that carries the motion: arms before grippers, then what could be compared most. */
function mainGroup(groups: readonly ActionGroup[]): ActionGroup {
  const arms = groups.filter(({ space, compared }) => space !== 'gripper' && compared > 0);
  const candidates = arms.length > 0 ? arms : groups;
  return candidates.reduce((main, next) => (next.compared > main.compared ? next : main));
}

/** Of the episodes, so many must read alike for the whole to be of one representation. */
const mostly = 0.8;

function overall(
  main: ActionGroup,
  agreeing: number,
  episodes: number,
): { representation: Representation | 'mixed' | 'undetermined'; confidence: number } {
  if (main.representation === 'undetermined')
    return { representation: 'undetermined', confidence: main.confidence };
  if (episodes > 1 && agreeing < mostly)
    return { representation: 'mixed', confidence: plain(main.confidence * agreeing, 2) };
  const few = episodes === 1 ? 0.8 : 1;
  return { representation: main.representation, confidence: plain(main.confidence * few * agreeing, 2) };
}

interface Seen {
  readonly pools: number;
  readonly agreeing: number;
  readonly episodes: number;
}

function findingsOn(groups: readonly ActionGroup[], main: ActionGroup, seen: Seen): string[] {
  const findings: string[] = [];
  if (seen.pools > 1)
    findings.push(
      `episodes come in ${seen.pools} layouts of streams and dimensions; they cannot be batched together`,
    );
  if (main.representation !== 'undetermined' && seen.agreeing < mostly * seen.episodes)
    findings.push(
      `only ${seen.agreeing} of ${seen.episodes} episodes read as ${main.representation} by themselves: representations seem to be mixed`,
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
        `one unit of ${group.space} action moves the state by ${group.gain} in a row: either scaled for a controller, or a target reached over several rows`,
      );
    if (copiesState(group))
      findings.push(
        `${group.space} actions are the state ${group.lag_rows} rows later to the last digit: no command was recorded, it was computed from what was measured`,
      );
  }
  return findings;
}

function copiesState({ representation, scores, gain, lag_rows }: ActionGroup): boolean {
  return representation === 'absolute' && scores.absolute >= 0.99999 && gain === 1 && lag_rows !== null;
}

type Conversions = Extract<ActionSpaceDiagnosis, { status: 'diagnosed' }>['conversions'];

/** How actions that are stored one way become another, and whether anything is lost. */
function conversionsOf({ representation, units, relative_to, chunk_rows }: ActionGroup): Conversions {
  if (representation === 'absolute')
    return [
      {
        to: 'chunk_relative',
        lossless: true,
        how: 'subtract the state at the first row of the chunk from every action of it, when a batch is made',
      },
      {
        to: 'step_delta',
        lossless: true,
        how: 'subtract the action of the row before (the state, for the first row)',
      },
    ];
  if (representation === 'chunk_relative') {
    const where =
      chunk_rows === null ? 'the episode’s first row' : `rows 0, ${chunk_rows}, ${2 * chunk_rows}, …`;
    return [
      {
        to: 'absolute',
        lossless: units === 'as_state',
        how: `add the state at ${where}${scaledNote(units)}`,
      },
      { to: 'step_delta', lossless: units === 'as_state', how: 'by way of absolute actions' },
    ];
  }
  if (representation !== 'step_delta') return [];
  if (relative_to === 'measured_state')
    return [
      {
        to: 'absolute',
        lossless: units === 'as_state',
        how: `add the state of the same row${scaledNote(units)}`,
      },
    ];
  return [
    {
      to: 'absolute',
      lossless: false,
      how: `sum from the first state on${scaledNote(units)}; errors add up, so check the sum against the measured state`,
    },
    {
      to: 'chunk_relative',
      lossless: units === 'as_state',
      how: `sum within the chunk${scaledNote(units)}`,
    },
  ];
}

const scaledNote = (units: ActionGroup['units']): string =>
  units === 'as_state' ? '' : ', after bringing them to the state’s unit';
