import { PairSums } from './column-fits.ts';
import type { Column, Signals } from './signals.ts';

/** State column that an action column is compared with, and how it was found. */
export interface Partner {
  readonly state: number;
  readonly by: 'name' | 'place' | 'motion';
}

/** Names of state columns with velocities or forces; position commands are never matched with them. */
const derivativePattern = /vel(ocity)?\b|_vel|qvel|speed|effort|torque|current|accel|force|wrench/i;

const comparableName = ({ name, stream }: Column): string | null =>
  name === null
    ? null
    : `${name}`
        .replace(/^(observation|action|state|actions|states|target|cmd|command|commanded|desired)[._/]+/i, '')
        .toLowerCase() + (derivativePattern.test(stream) ? ' derived' : '');

/**
 * Returns, for every action column, the state column of the same name, else the one at the same position if
 * the streams have equal widths; `null` if there is none.
 */
export function matchStatedPartners({ action_columns, state_columns }: Signals): (Partner | null)[] {
  const byName = new Map<string, number>();
  state_columns.forEach((column, index) => {
    const name = comparableName(column);
    if (name !== null && !byName.has(name)) byName.set(name, index);
  });
  const firstColumn = findStreamOfSameWidth(action_columns, state_columns);
  return action_columns.map((column, index) => {
    const name = comparableName(column);
    const same = name === null ? undefined : byName.get(name);
    if (same !== undefined) return { state: same, by: 'name' };
    return firstColumn === null ? null : { state: firstColumn + index, by: 'place' };
  });
}

/**
 * Returns the first column of the only state stream that is as wide as the only action stream; `null` if
 * there is none.
 */
function findStreamOfSameWidth(actions: readonly Column[], states: readonly Column[]): number | null {
  if (actions.some(({ stream }) => stream !== actions[0].stream)) return null;
  const widths = new Map<string, number>();
  for (const column of states)
    if (!derivativePattern.test(column.stream))
      widths.set(column.stream, (widths.get(column.stream) ?? 0) + 1);
  const equal = [...widths].filter(([, width]) => width === actions.length);
  return equal.length === 1 ? states.findIndex(({ stream }) => stream === equal[0][0]) : null;
}

/** Lags and spans that suffice to detect a relation between two columns. */
const searchGrid = { lags: [0, 2, 4, 8], spans: [4, 16] } as const;
const maxSearchedColumns = 24;
const minExplained = 0.5;

/**
 * Replaces the partner of each action column that has none by name with the state column whose level or change best
 * explains it in these episodes, if that explains at least half of its variance; keeps it otherwise.
 */
export function searchPartners(
  episodes: readonly Signals[],
  stated: readonly (Partner | null)[],
): (Partner | null)[] {
  const { state_columns } = episodes[0];
  const candidates = state_columns
    .map((_, index) => index)
    .filter(
      (index) => !derivativePattern.test(`${state_columns[index].stream} ${state_columns[index].name ?? ''}`),
    )
    .slice(0, maxSearchedColumns);
  let remainingSearches = maxSearchedColumns;
  return stated.map((partner, action) => {
    if (partner?.by === 'name' || remainingSearches-- <= 0) return partner;
    let best = partner;
    let bestShare =
      partner === null
        ? minExplained
        : Math.max(minExplained, computeRelation(episodes, action, partner.state));
    for (const state of candidates) {
      const share = computeRelation(episodes, action, state);
      if (share > bestShare) {
        bestShare = share;
        best = { state, by: 'motion' };
      }
    }
    return best;
  });
}

function computeRelation(episodes: readonly Signals[], action: number, state: number): number {
  let maxShare = 0;
  for (const lag of searchGrid.lags) {
    const level = new PairSums();
    const changes = searchGrid.spans.map(() => new PairSums());
    for (const signals of episodes) {
      const [a, s] = [signals.action[action], signals.state[state]];
      for (const { from, to } of signals.windows) {
        level.addRun(s, from + lag, a, from, to - from - lag);
        searchGrid.spans.forEach((span, w) => {
          let sum = 0;
          for (let t = from; t + lag < to; t++) {
            sum += a[t];
            if (t < from + span) continue;
            sum -= a[t - span];
            changes[w].add(s[t + lag] - s[t + lag - span], sum - a[t] + a[t - span]);
          }
        });
      }
    }
    maxShare = Math.max(maxShare, level.explained, ...changes.map((change) => change.explainedThroughZero));
  }
  return maxShare;
}
