import type { Episode, Stream } from '#core/episode';
import type { Aspect } from '../../check.ts';
import { spansInSeconds } from '../../features/marks.ts';
import type { Spans } from '../../features/motion.ts';
import { plain } from '../../features/plain.ts';
import { ramp } from '../../features/ramp.ts';
import { columnOf, flightRows, runsOf } from './rows.ts';

/** What a battery's voltage did in flight. */
export type BatteryFacts = {
  readonly stream: string;
  readonly cells: number;
  /** The autopilot said how many; else by the first voltage, 4.2 V a cell. */
  readonly cells_declared: boolean;
  readonly lowest_v: number;
  readonly samples: number;
  readonly low: number;
  readonly low_s: Spans;
};

/** Flight Review's rule: below 3.3 V a cell under load a lithium pack is about to give out. */
const lowCell_v = 3.3;
const fullCell_v = 4.2;
const mostCells = 16;

/** Of the first stream that is a battery's; null where none is, or where it measured nothing in flight. */
export function batteryFacts(episode: Episode): BatteryFacts | null {
  for (const stream of episode.streams) {
    if (!/batter|(^|[/_.])bat\b/i.test(stream.id)) continue;
    const facts = factsOf(episode, stream);
    if (facts !== null) return facts;
  }
  return null;
}

function factsOf(episode: Episode, stream: Stream): BatteryFacts | null {
  const voltage = columnOf(stream, /^(voltage_v|voltage|volt)$/i);
  if (voltage === null) return null;
  const declared = declaredCells(stream);
  const state = new Uint8Array(stream.sample_count).fill(2);
  const inFlight = flightRows(episode, stream);
  let cells = declared;
  let lowest_v = Number.POSITIVE_INFINITY;
  let samples = 0;
  let low = 0;
  for (let row = 0; row < state.length; row++) {
    const volts = voltage(row);
    // Exactly zero is what an autopilot without a measurement writes.
    if (!(volts > 0 && volts < 1000)) continue;
    cells ??= Math.min(mostCells, Math.max(1, Math.round(volts / fullCell_v)));
    if (inFlight[row] === 0) {
      state[row] = 0;
      continue;
    }
    samples++;
    lowest_v = Math.min(lowest_v, volts);
    state[row] = volts < lowCell_v * cells ? 1 : 0;
    low += state[row];
  }
  if (cells === null || samples === 0) return null;
  const low_s = spansInSeconds(stream, runsOf(state));
  const cells_declared = declared !== null;
  return { stream: stream.id, cells, cells_declared, lowest_v: plain(lowest_v, 4), samples, low, low_s };
}

function declaredCells(stream: Stream): number | null {
  const count = columnOf(stream, /^cell_count$/);
  for (let row = 0; count !== null && row < stream.sample_count; row++) {
    const cells = count(row);
    if (cells >= 1 && cells <= mostCells) return cells;
  }
  return null;
}

/** 1 from 3.4 V a cell, 0 at 3.2 V: half, where the flag is raised, at 3.3 V. */
export function batteryAspect({ stream, cells, lowest_v, samples, low, low_s }: BatteryFacts): Aspect {
  const cell_v = lowest_v / cells;
  const unmeasured =
    cell_v < 1 ? '; so little means that the pack was not measured, or not connected there' : '';
  return {
    flag: 'battery_low',
    score: ramp(cell_v, 3.4, 3.2),
    observed: plain(cell_v, 4),
    message: () =>
      `${stream}: down to ${lowest_v} V in flight, under ${plain(lowCell_v * cells, 3)} V for ${cells} ${cells === 1 ? 'cell' : 'cells'} in ${low} of ${samples} samples${unmeasured}`,
    marks: low_s.map(([from_s, to_s]) => ({ stream, from_s, to_s })),
  };
}
