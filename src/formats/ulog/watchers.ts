import { armedLabel, disarmedLabel } from '#core/episode';
import { numberAt } from '../shared/flight/decode-numbers.ts';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import type { NumberField } from '../shared/flight/number-row.ts';

/** Looks at every row of a topic while it is read. */
export type Watcher = (view: DataView, start: number, time_us: number) => void;

/** Who looks at a topic: its arming and modes become events, its satellite time the log's clock. Null: nobody. */
export function watcherOf(
  topic: string,
  instance: number,
  fields: readonly NumberField[],
  log: FlightLog,
): Watcher | null {
  if (instance !== 0) return null;
  if (topic === 'vehicle_status') return statusWatcher(fields, log);
  if (topic === 'vehicle_gps_position' || topic === 'sensor_gps') return utcWatcher(topic, fields, log);
  return null;
}

function statusWatcher(fields: readonly NumberField[], log: FlightLog): Watcher {
  const watched = [
    changes(
      fields,
      'arming_state',
      (state) => (state === armedState ? 1 : 0),
      (armed) => (armed === 1 ? armedLabel : disarmedLabel),
    ),
    changes(
      fields,
      'nav_state',
      (state) => state,
      (state) => `flight mode ${modeName(state)}`,
    ),
    changes(
      fields,
      'failsafe',
      (state) => state,
      (state) => (state === 0 ? 'failsafe over' : 'failsafe'),
    ),
  ];
  return (view, start, time_us) => {
    for (const watch of watched) {
      const label = watch(view, start);
      if (label !== null) log.event(time_us, label[0], `vehicle_status.${label[1]}`);
    }
  };
}

/** Says the label and the field's name when a field takes another value; also for its first, unless that is zero. */
function changes(
  fields: readonly NumberField[],
  name: string,
  reduce: (value: number) => number,
  label: (value: number) => string,
): (view: DataView, start: number) => readonly [string, string] | null {
  const field = fields.find((candidate) => candidate.name === name);
  let before = name === 'failsafe' ? 0 : Number.NaN;
  return (view, start) => {
    if (field === undefined) return null;
    const value = reduce(numberAt(view, start, field));
    if (value === before) return null;
    before = value;
    return [label(value), name];
  };
}

function utcWatcher(topic: string, fields: readonly NumberField[], log: FlightLog): Watcher | null {
  const field = fields.find(({ name }) => name === 'time_utc_usec');
  if (field === undefined) return null;
  return (view, start, time_us) =>
    log.utc(time_us, numberAt(view, start, field), `time_utc_usec of ${topic}`);
}

/** `vehicle_status.arming_state` of an armed vehicle, the same in every version of PX4. */
const armedState = 2;

const modes: Readonly<Record<number, string>> = {
  0: 'Manual',
  1: 'Altitude',
  2: 'Position',
  3: 'Mission',
  4: 'Hold',
  5: 'Return',
  10: 'Acro',
  12: 'Descend',
  13: 'Termination',
  14: 'Offboard',
  15: 'Stabilized',
  17: 'Takeoff',
  18: 'Land',
  19: 'Follow Target',
  20: 'Precision Land',
  21: 'Orbit',
};

/** A flight mode by the name that ground stations show; the number where PX4 gave it none that held. */
function modeName(nav_state: number): string {
  return modes[nav_state] ?? `nav_state ${nav_state}`;
}

const levels = ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'];

/** The name of a syslog level as logged, `0` to `7`; null for anything else. */
export function levelName(character: number): string | null {
  return levels[character - 0x30] ?? null;
}
