import type { Clock, ClockChoice } from '#core/episode';
import type { ClockMapping } from './mapping.ts';

/** Stamps that are off their grid by less than this share of a step were computed. */
const gridTolerance = 1e-3;
const gridRows = 10;

export interface MappedClock {
  readonly clock: Clock;
  readonly column: string;
  readonly reason: string;
}

/** A clock as the mapping describes it and its stamps show it; `time_s` counts from the episode's first stamp. */
export function mappedClock(mapping: ClockMapping, time_s: Float64Array): MappedClock {
  const { column, provenance } = mapping;
  const even = isGrid(time_s);
  if (even && provenance !== 'hardware' && provenance !== 'synthesised') {
    const said = provenance === undefined ? '' : `, though the mapping says ${provenance}`;
    return {
      column,
      clock: { name: column, provenance: 'synthesised', time_s },
      reason: `every stamp lies on one even grid: computed, not measured${said}`,
    };
  }
  const reason =
    provenance === undefined
      ? 'stamps of the table; the mapping does not say who wrote them, so they count as the recorder’s'
      : `the mapping says ${provenance}`;
  return { column, clock: { name: column, provenance: provenance ?? 'log', time_s }, reason };
}

/** Stands in where the table has no clock and the mapping a rate. */
export function countedClock(rows: number, rate_hz: number): MappedClock {
  const time_s = Float64Array.from({ length: rows }, (_, row) => row / rate_hz);
  return {
    column: 'row / rate_hz',
    clock: { name: 'row / rate_hz', provenance: 'synthesised', time_s },
    reason: `the table has no clock; row / ${rate_hz} stands in, by the mapping's rate_hz`,
  };
}

/** The clock that a stream asks for first, the others kept beside it. */
export function clocksOf(
  clocks: readonly MappedClock[],
  wanted: string | undefined,
): { readonly clocks: readonly Clock[]; readonly clock: ClockChoice | null } {
  if (clocks.length === 0) return { clocks: [], clock: null };
  const index = Math.max(
    0,
    clocks.findIndex(({ column }) => column === wanted),
  );
  return { clocks: clocks.map(({ clock }) => clock), clock: { index, reason: clocks[index].reason } };
}

function isGrid(time_s: Float64Array): boolean {
  const rows = time_s.length;
  if (rows < gridRows) return false;
  const step = (time_s[rows - 1] - time_s[0]) / (rows - 1);
  if (!(step > 0)) return false;
  for (let row = 0; row < rows; row++) {
    const off = (time_s[row] - time_s[0]) / step - row;
    if (!(Math.abs(off) < gridTolerance)) return false;
  }
  return true;
}
