import { armedLabel, disarmedLabel } from '#core/episode';
import { decodeNumberAt, type NumberField } from '../shared/flight/decode-numbers.ts';
import type { FlightLog } from '../shared/flight/flight-log.ts';

/** Inspects every row of a topic while it is read. */
export type Watcher = (view: DataView, start: number, time_us: number) => void;

/**
 * Returns the watcher of a topic, by which arming and modes become events and satellite time sets the log's UTC offset;
 * `null` for other topics and instances.
 */
export function createWatcher(
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
    watchChanges(
      fields,
      'arming_state',
      (state) => (state === armedState ? 1 : 0),
      (armed) => (armed === 1 ? armedLabel : disarmedLabel),
    ),
    watchChanges(
      fields,
      'nav_state',
      (state) => state,
      (state) => `flight mode ${modeName(state)}`,
    ),
    watchChanges(
      fields,
      'failsafe',
      (state) => state,
      (state) => (state === 0 ? 'failsafe over' : 'failsafe'),
    ),
  ];
  return (view, start, time_us) => {
    for (const watch of watched) {
      const label = watch(view, start);
      if (label !== null) log.addEvent(time_us, label[0], `vehicle_status.${label[1]}`);
    }
  };
}

/**
 * Returns a function that yields label and field name when the field's value changes, else `null`. The first value
 * counts as a change, except 0 of `failsafe`.
 */
function watchChanges(
  fields: readonly NumberField[],
  name: string,
  reduce: (value: number) => number,
  label: (value: number) => string,
): (view: DataView, start: number) => readonly [string, string] | null {
  const field = fields.find((candidate) => candidate.name === name);
  let previous = name === 'failsafe' ? 0 : Number.NaN;
  return (view, start) => {
    if (field === undefined) return null;
    const value = reduce(decodeNumberAt(view, start, field));
    if (value === previous) return null;
    previous = value;
    return [label(value), name];
  };
}

function utcWatcher(topic: string, fields: readonly NumberField[], log: FlightLog): Watcher | null {
  const field = fields.find(({ name }) => name === 'time_utc_usec');
  if (field === undefined) return null;
  return (view, start, time_us) =>
    log.addUtcFix(time_us, decodeNumberAt(view, start, field), `time_utc_usec of ${topic}`);
}

/** `vehicle_status.arming_state` of an armed vehicle, the same in every version of PX4. */
const armedState = 2;

const flightModes: Readonly<Record<number, string>> = {
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

/** Returns the name of a flight mode as ground stations show it, or `nav_state <number>` if it has no stable name. */
function modeName(nav_state: number): string {
  return flightModes[nav_state] ?? `nav_state ${nav_state}`;
}

const levels = ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'];

/** Returns the name of a syslog level, logged as `0` to `7`; `null` for anything else. */
export function levelName(character: number): string | null {
  return levels[character - 0x30] ?? null;
}
