import type { StreamRole, UnitOfMeasure } from '#core/episode';
import type { NumberField } from '../shared/flight/decode-numbers.ts';
import {
  type GroupRule,
  groupByRules,
  type RowClock,
  type SignalGroup,
} from '../shared/flight/signal-table.ts';
import type { MessageDefinition } from './messages.ts';

/** Layout of a message's rows as they are staged: the time of the record and the fields, all as float64. */
export interface RowLayout {
  readonly fields: readonly NumberField[];
  readonly clocks: readonly RowClock[];
  readonly groups: readonly SignalGroup[];
  readonly rowBytes: number;
}

const recordTime = 'log_time';
const ownTime = /^time_(boot_ms|usec)$/;

const rule = (suffix: string, fields: RegExp, role: StreamRole): GroupRule => ({ suffix, fields, role });
const rates = rule('rates', /^(roll|pitch|yaw)speed$/, 'attitude');
const angles = rule('attitude', /^(roll|pitch|yaw)$/, 'attitude');
const quaternion = rule('q', /^q[1-4]$/, 'attitude');
const position = (role: StreamRole) => rule('position', /^(lat|lng|lon|alt|relative_alt|altitude)$/, role);
const inertial: readonly GroupRule[] = [
  rule('gyro', /^[xyz]gyro$/, 'imu'),
  rule('accelerometer', /^[xyz]acc$/, 'imu'),
  rule('magnetometer', /^[xyz]mag$/, 'imu'),
];
const receiver: readonly GroupRule[] = [
  position('gnss'),
  rule('velocity', /^(vel|cog)$/, 'gnss'),
  rule('quality', /^(fix_type|satellites_visible|hdop|vdop)$/, 'gnss'),
];
const channels = rule('sticks', /^chan\d+_raw$/, 'action');

/** Rules that group the fields of a message into streams; other fields go into a stream beside them. */
const messageRules: Readonly<Record<string, readonly GroupRule[]>> = {
  ATTITUDE: [angles, rates],
  ATTITUDE_QUATERNION: [quaternion, rates],
  AHRS2: [angles, position('odometry')],
  LOCAL_POSITION_NED: [rule('position', /^[xyz]$/, 'odometry'), rule('velocity', /^v[xyz]$/, 'odometry')],
  GLOBAL_POSITION_INT: [position('odometry'), rule('velocity', /^v[xyz]$/, 'odometry')],
  GPS_RAW_INT: receiver,
  GPS2_RAW: receiver,
  RAW_IMU: inertial,
  SCALED_IMU: inertial,
  SCALED_IMU2: inertial,
  SCALED_IMU3: inertial,
  HIGHRES_IMU: inertial,
  RC_CHANNELS: [channels],
  RC_CHANNELS_RAW: [channels],
  RC_CHANNELS_OVERRIDE: [channels],
  MANUAL_CONTROL: [rule('sticks', /^[xyzr]$/, 'action')],
  SERVO_OUTPUT_RAW: [rule('output', /^servo\d+_raw$/, 'action')],
  ACTUATOR_CONTROL_TARGET: [rule('controls', /^controls\[/, 'action')],
  ATTITUDE_TARGET: [
    rule('target', /^q\[/, 'action'),
    rule('rates', /^body_/, 'action'),
    rule('thrust', /^thrust$/, 'action'),
  ],
  POSITION_TARGET_LOCAL_NED: [
    rule('target', /^[xyz]$/, 'action'),
    rule('velocity', /^v[xyz]$/, 'action'),
    rule('acceleration', /^af[xyz]$/, 'action'),
  ],
  POSITION_TARGET_GLOBAL_INT: [
    rule('target', /^(lat_int|lon_int|alt)$/, 'action'),
    rule('velocity', /^v[xyz]$/, 'action'),
    rule('acceleration', /^af[xyz]$/, 'action'),
  ],
  BATTERY_STATUS: [rule('power', /^(voltages\[\d+\]|current_battery|battery_remaining)$/, 'other')],
};

/** Builds the layout of a message's rows. */
export function buildLayout(definition: MessageDefinition): RowLayout {
  const names = [recordTime, ...definition.numbers.map(({ name }) => name)];
  const fields = names.map((name, i): NumberField => ({ name, kind: 'float64', offset: 8 * i, divisor: 1 }));
  const own = names.findIndex((name) => ownTime.test(name));
  const clocks: RowClock[] = [{ name: recordTime, field: 0, unit_us: 1, provenance: 'log' }];
  if (own > 0) {
    const unit_us = names[own] === 'time_boot_ms' ? 1000 : 1;
    clocks.push({ name: names[own], field: own, unit_us, measured: true, isShifted: true });
  }
  const taken = new Set(clocks.map(({ field }) => field));
  const groups = groupByRules(messageRules[definition.name] ?? [], fields, taken, (_, indices) =>
    sharedUnit(
      definition,
      indices.map((index) => index - 1),
    ),
  );
  return { fields, clocks, groups, rowBytes: 8 * fields.length };
}

const ned = /^(LOCAL_POSITION_NED|POSITION_TARGET_LOCAL_NED)$/;

/** Returns the unit of fields by the definition of their message; `mixed` with each in the reason if they differ. */
function sharedUnit({ name, numbers }: MessageDefinition, indices: readonly number[]): UnitOfMeasure {
  const units = indices.map((index) => numbers[index].unit);
  const [first] = units;
  if (name === 'RAW_IMU')
    return {
      unit: 'unknown',
      evidence: 'unknown',
      reason: 'RAW_IMU contains raw sensor values by definition',
    };
  if (units.every((unit) => unit === ''))
    return {
      unit: 'unknown',
      evidence: 'unknown',
      reason: 'the MAVLink definition declares no unit for these fields',
    };
  const frame = ned.test(name) ? '; north, east, down' : '';
  const reason = `MAVLink definition of ${name}${frame}`;
  if (units.every((unit) => unit === first)) return { unit: first, evidence: 'known_format', reason };
  const listed = indices.map((index) => `${numbers[index].name} ${numbers[index].unit || 'without unit'}`);
  return { unit: 'mixed', evidence: 'known_format', reason: `${reason}: ${listed.join(', ')}` };
}
