import type { Episode, Stream } from '#core/episode';

/** The commands and the measured state that answer them. */
export interface CommandedPair {
  readonly action: Stream;
  readonly state: Stream;
  /** Row i of one was written with row i of the other: same count and the same stamps. */
  readonly same_rows: boolean;
}

/**
 * The action stream and the state stream that belong together: equal dimensions first (a named match before a bare
 * one), else the widest of each. Null when either is absent.
 */
export function commandedPair(episode: Episode): CommandedPair | null {
  let best: CommandedPair | null = null;
  let bestRank = -1;
  for (const action of episode.streams) {
    if (action.role !== 'action' || action.series === undefined) continue;
    // Commands sent when something happens hold until the next: no row of theirs answers a row of the state.
    if (action.event_driven !== undefined) continue;
    for (const state of episode.streams) {
      if (state.role !== 'state' || state.series === undefined) continue;
      const rank = rankOf(action, state);
      if (rank <= bestRank) continue;
      bestRank = rank;
      best = { action, state, same_rows: sameRows(action, state) };
    }
  }
  return best;
}

function rankOf(action: Stream, state: Stream): number {
  const dims = Math.min(1e5, Math.min(action.series!.dims, state.series!.dims));
  const equal = action.series!.dims === state.series!.dims;
  return dims + (equal ? 1e6 : 0) + (equal && sameNames(action, state) ? 1e6 : 0);
}

function sameNames({ names: a }: Stream, { names: b }: Stream): boolean {
  return a !== null && b !== null && a.length === b.length && a.every((name, i) => name === b[i]);
}

function sameRows(a: Stream, b: Stream): boolean {
  if (a.sample_count !== b.sample_count) return false;
  if (a.clock === null || b.clock === null) return a.clock === b.clock;
  const times = a.clocks[a.clock.index].time_s;
  const others = b.clocks[b.clock.index].time_s;
  if (times === others) return true;
  if (times.length !== others.length) return false;
  for (let i = 0; i < times.length; i++) if (times[i] !== others[i]) return false;
  return true;
}
