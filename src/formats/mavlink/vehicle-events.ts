import { armedLabel, disarmedLabel } from '#core/episode';
import { arduPilotModeName } from '../shared/flight/ardupilot-modes.ts';
import type { FlightLog } from '../shared/flight/flight-log.ts';

/** Numbers and texts of a message by field name; NaN and '' for fields that it does not have. */
export interface MessageValues {
  number(name: string): number;
  text(name: string): string;
}

const maxParameters = 16_384;
const armedFlag = 0x80;
/** MAV_TYPE and MAV_AUTOPILOT values (MAVLink common.xml). */
const groundStationType = 6;
const noAutopilot = 8;
const arduPilot = 3;
const px4 = 12;

/** Names of vehicles by MAV_TYPE; those of ArduPilot are named like its firmware. */
const vehicleNames: Readonly<Record<number, string>> = {
  1: 'Plane',
  2: 'Copter',
  3: 'Copter',
  4: 'Copter',
  10: 'Rover',
  11: 'Boat',
  12: 'Sub',
  13: 'Copter',
  14: 'Copter',
  15: 'Copter',
  19: 'Plane',
  20: 'Plane',
  21: 'Plane',
  22: 'Plane',
  29: 'Copter',
  35: 'Copter',
};
/** Vehicles that do not fly are named without their autopilot, by whose name flights are recognised. */
const groundVehicle = /^(Rover|Boat|Sub)$/;

const px4Modes: Readonly<Record<number, string>> = {
  1: 'Manual',
  2: 'Altitude',
  3: 'Position',
  4: 'Auto',
  5: 'Acro',
  6: 'Offboard',
  7: 'Stabilized',
  8: 'Rattitude',
};
const px4AutoModes: Readonly<Record<number, string>> = {
  1: 'Ready',
  2: 'Takeoff',
  3: 'Hold',
  4: 'Mission',
  5: 'Return',
  6: 'Land',
  8: 'Follow me',
  9: 'Precision land',
};

interface VehicleState {
  readonly autopilot: number;
  readonly type: number;
  armed: boolean | null;
  mode: number;
}

/** Turns heartbeats, status texts and parameters of each vehicle into events of the log. */
export class VehicleEvents {
  readonly parameters = new Map<string, number>();
  readonly changedParameters = new Set<string>();
  readonly #log: FlightLog;
  readonly #vehicles = new Map<number, VehicleState>();

  constructor(log: FlightLog) {
    this.#log = log;
  }

  /** System ids of vehicles that sent heartbeats, in order of appearance. */
  get systems(): readonly number[] {
    return [...this.#vehicles.keys()];
  }

  /** Returns `ArduPilot Copter`, `PX4 Plane`; `Rover` alone if it does not fly; `null` before a heartbeat. */
  robot(system: number | null): string | null {
    const state = this.#vehicles.get(system ?? -1);
    if (state === undefined) return null;
    const name = vehicleNames[state.type] ?? `vehicle type ${state.type}`;
    if (groundVehicle.test(name)) return name;
    const autopilot =
      state.autopilot === arduPilot ? 'ArduPilot' : state.autopilot === px4 ? 'PX4' : 'MAVLink';
    return `${autopilot} ${name}`;
  }

  /** Handles one message; `suffix` names the system in events of all but the first vehicle. */
  handle(name: string, time_us: number, system: number, suffix: string, values: MessageValues): void {
    if (name === 'HEARTBEAT') this.#heartbeat(time_us, system, suffix, values);
    else if (name === 'STATUSTEXT')
      this.#log.addEvent(time_us, `${values.text('text')}${suffix}`, 'STATUSTEXT');
    else if (name === 'PARAM_VALUE')
      this.#parameter(time_us, `${values.text('param_id')}${suffix}`, values.number('param_value'));
    else if (name === 'COMMAND_LONG')
      this.#log.addEvent(time_us, `command ${values.number('command')}`, 'COMMAND_LONG');
  }

  #heartbeat(time_us: number, system: number, suffix: string, values: MessageValues): void {
    if (!isVehicleHeartbeat(values)) return;
    const [type, autopilot] = [values.number('type'), values.number('autopilot')];
    let state = this.#vehicles.get(system);
    if (state === undefined) {
      state = { autopilot, type, armed: null, mode: Number.NaN };
      this.#vehicles.set(system, state);
    }
    const armed = (values.number('base_mode') & armedFlag) !== 0;
    if (armed !== state.armed)
      this.#log.addEvent(time_us, `${armed ? armedLabel : disarmedLabel}${suffix}`, 'HEARTBEAT');
    const mode = values.number('custom_mode');
    if (mode !== state.mode)
      this.#log.addEvent(time_us, `flight mode ${modeName(state, mode)}${suffix}`, 'HEARTBEAT');
    state.armed = armed;
    state.mode = mode;
  }

  #parameter(time_us: number, name: string, value: number): void {
    const previous = this.parameters.get(name);
    if (Object.is(previous, value)) return;
    if (previous === undefined && this.parameters.size >= maxParameters) return;
    this.parameters.set(name, value);
    if (previous === undefined) return;
    this.changedParameters.add(name);
    this.#log.addEvent(time_us, `parameter ${name} = ${value}`, 'PARAM_VALUE');
  }
}

/** True if a heartbeat comes from an autopilot, not from a ground station, camera or gimbal. */
export const isVehicleHeartbeat = (values: MessageValues): boolean =>
  values.number('type') !== groundStationType && values.number('autopilot') !== noAutopilot;

function modeName({ autopilot, type }: VehicleState, mode: number): string {
  if (autopilot === arduPilot) return arduPilotModeName(vehicleNames[type] ?? null, mode);
  if (autopilot !== px4) return `number ${mode}`;
  const [main, sub] = [(mode >>> 16) & 0xff, mode >>> 24];
  return (main === 4 ? px4AutoModes[sub] : undefined) ?? px4Modes[main] ?? `number ${mode}`;
}
