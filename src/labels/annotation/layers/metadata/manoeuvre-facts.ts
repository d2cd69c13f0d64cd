import type { JsonObject } from '#core';
import type { LaneEpisode } from '../../lane.ts';
import { driveManoeuvres, manoeuvreLimits } from '../../manoeuvres/drive-manoeuvres.ts';
import { flightPhases, phaseLimits } from '../../manoeuvres/flight-phases.ts';
import type { Run } from '../../manoeuvres/signal-grid.ts';
import { micro } from '../../micro.ts';
import { type Fact, type Facts, inapplicable, told, unknown } from './fact.ts';

const mostRuns = 500;

/** What a vehicle or an aircraft does, one thing after the other, with the limits by which it is told. */
export function manoeuvreFacts(episode: LaneEpisode): Facts {
  const { kind } = episode.facts.kind;
  const none = (what: string) => inapplicable(`it is no ${what}`);
  const [phases, manoeuvres] = [flightPhases(episode), driveManoeuvres(episode)];
  return {
    flight_phases:
      kind !== 'aerial-flight'
        ? none('flight')
        : factOf(phases, phaseLimits, 'no stream tells position and velocity north, east and down'),
    manoeuvres:
      kind !== 'drive-log' ? none('drive') : factOf(manoeuvres, manoeuvreLimits, 'no stream tells its speed'),
  };
}

function factOf(runs: readonly Run<string>[] | null, limits: JsonObject, why: string): Fact {
  if (runs === null) return unknown(why);
  const lasting_s: Record<string, number> = {};
  for (const { label, from_s, to_s } of runs)
    lasting_s[label] = micro((lasting_s[label] ?? 0) + to_s - from_s);
  const sorted = Object.fromEntries(Object.entries(lasting_s).sort(([a], [b]) => (a < b ? -1 : 1)));
  return told({
    lasting_s: sorted,
    limits,
    runs: runs
      .slice(0, mostRuns)
      .map(({ label, from_s, to_s }) => ({ from_s: micro(from_s), to_s: micro(to_s), what: label })),
    runs_in_all: runs.length,
  });
}
