import { PairSums } from './pair-sums.ts';
import type { Column, Signals } from './signals.ts';

/** Which state column an action column is held against, and how they were brought together. */
export interface Partner {
  readonly state: number;
  readonly by: 'name' | 'place' | 'motion';
}

/** State columns that hold speeds or forces: a command of position is not one of them, however alike they look. */
const derived = /vel(ocity)?\b|_vel|qvel|speed|effort|torque|current|accel|force|wrench/i;

const tail = ({ name, stream }: Column): string | null =>
  name === null
    ? null
    : `${name}`
        .replace(/^(observation|action|state|actions|states|target|cmd|command|commanded|desired)[._/]+/i, '')
        .toLowerCase() + (derived.test(stream) ? ' derived' : '');

/** For every action column the state column of the same name, else of the same place where all places match. */
export function statedPartners({ action_columns, state_columns }: Signals): (Partner | null)[] {
  const byName = new Map<string, number>();
  state_columns.forEach((column, index) => {
    const name = tail(column);
    if (name !== null && !byName.has(name)) byName.set(name, index);
  });
  const placed = sameShape(action_columns, state_columns);
  return action_columns.map((column, index) => {
    const name = tail(column);
    const same = name === null ? undefined : byName.get(name);
    if (same !== undefined) return { state: same, by: 'name' };
    return placed === null ? null : { state: placed + index, by: 'place' };
  });
}

/** First column of the one state stream that is as wide as the only action stream; null where there is none. */
function sameShape(actions: readonly Column[], states: readonly Column[]): number | null {
  if (actions.some(({ stream }) => stream !== actions[0].stream)) return null;
  const widths = new Map<string, number>();
  for (const column of states)
    if (!derived.test(column.stream)) widths.set(column.stream, (widths.get(column.stream) ?? 0) + 1);
  const equal = [...widths].filter(([, width]) => width === actions.length);
  return equal.length === 1 ? states.findIndex(({ stream }) => stream === equal[0][0]) : null;
}

/** Lags and spans that are enough to see whether two columns have to do with each other. */
const searched = { lags: [0, 2, 4, 8], spans: [4, 16] } as const;
const mostSearched = 24;
const clearly = 0.5;

/**
 * For action columns without a partner of their name, the state column whose level or whose change explains most of
 * theirs, in the first episodes. Columns that nothing explains by half stay as they are.
 */
export function searchPartners(
  episodes: readonly Signals[],
  known: readonly (Partner | null)[],
): (Partner | null)[] {
  const { state_columns } = episodes[0];
  const candidates = state_columns
    .map((_, index) => index)
    .filter((index) => !derived.test(`${state_columns[index].stream} ${state_columns[index].name ?? ''}`))
    .slice(0, mostSearched);
  let left = mostSearched;
  return known.map((partner, action) => {
    if (partner?.by === 'name' || left-- <= 0) return partner;
    let best = partner;
    let most = partner === null ? clearly : Math.max(clearly, relation(episodes, action, partner.state));
    for (const state of candidates) {
      const share = relation(episodes, action, state);
      if (share > most) {
        most = share;
        best = { state, by: 'motion' };
      }
    }
    return best;
  });
}

function relation(episodes: readonly Signals[], action: number, state: number): number {
  let most = 0;
  for (const lag of searched.lags) {
    const level = new PairSums();
    const changes = searched.spans.map(() => new PairSums());
    for (const signals of episodes) {
      const [a, s] = [signals.action[action], signals.state[state]];
      for (const { from, to } of signals.windows) {
        level.addRun(s, from + lag, a, from, to - from - lag);
        searched.spans.forEach((span, w) => {
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
    most = Math.max(most, level.explained, ...changes.map((change) => change.explainedThroughZero));
  }
  return most;
}
