import type { StreamRole, UnitOfMeasure } from '#core/episode';
import { type GroupRule, groupByRules } from '../shared/flight/group-rules.ts';
import type { NumberField } from '../shared/flight/number-row.ts';
import type { SignalGroup } from '../shared/flight/signal-table.ts';

const rule = (suffix: string, fields: RegExp, role: StreamRole): GroupRule => ({ suffix, fields, role });

const quaternion = rule('q', /^Q[1-4]$/, 'attitude');
const gyro = rule('gyro', /^Gyr[XYZ]$/, 'imu');
const accelerometer = rule('accelerometer', /^Acc[XYZ]$/, 'imu');
const power = rule('power', /^(Volt|VoltR|Curr|CurrTot|EnrgTot|Res|RemPct)$/, 'other');
const kalman: readonly GroupRule[] = [
  rule('attitude', /^(Roll|Pitch|Yaw)$/, 'attitude'),
  rule('velocity', /^V[NED]$/, 'odometry'),
  rule('position', /^P[NED]$/, 'odometry'),
];
const positionControl: readonly GroupRule[] = [
  rule('target', /^[DT](P|V|A)[NED]?$|^[DT](P|V|A)[XYZ]$/, 'action'),
  rule('position', /^P[NEDXYZ]$/, 'odometry'),
  rule('velocity', /^V[NEDXYZ]$/, 'odometry'),
];

/** Messages that a flight engineer looks at first, by ArduPilot's own descriptions. All other columns are kept beside. */
const messages: Readonly<Record<string, readonly GroupRule[]>> = {
  ATT: [
    rule('desired', /^Des(Roll|Pitch|Yaw)$/, 'action'),
    rule('attitude', /^(Roll|Pitch|Yaw)$/, 'attitude'),
  ],
  AHR2: [
    rule('attitude', /^(Roll|Pitch|Yaw)$/, 'attitude'),
    quaternion,
    rule('position', /^(Lat|Lng|Alt)$/, 'odometry'),
  ],
  RATE: [
    rule('desired', /^(R|P|Y|A)Des$/, 'action'),
    rule('rates', /^(R|P|Y)$/, 'attitude'),
    rule('output', /^(R|P|Y|A)Out$/, 'action'),
  ],
  IMU: [gyro, accelerometer],
  GYR: [gyro],
  ACC: [accelerometer],
  MAG: [rule('field', /^Mag[XYZ]$/, 'imu')],
  GPS: [
    rule('position', /^(Lat|Lng|Alt)$/, 'gnss'),
    rule('velocity', /^(Spd|GCrs|VZ)$/, 'gnss'),
    rule('quality', /^(Status|NSats|HDop)$/, 'gnss'),
  ],
  GPA: [rule('quality', /^(VDop|HAcc|VAcc|SAcc|YAcc)$/, 'gnss')],
  POS: [rule('position', /^(Lat|Lng|Alt|RelHomeAlt|RelOriginAlt)$/, 'odometry')],
  XKF1: kalman,
  NKF1: kalman,
  XKQ: [quaternion],
  NKQ: [quaternion],
  PSCN: positionControl,
  PSCE: positionControl,
  PSCD: positionControl,
  PSC: positionControl,
  RCOU: [rule('output', /^C\d+$/, 'action')],
  RCIN: [rule('sticks', /^C\d+$/, 'action')],
  BAT: [power],
  CURR: [power],
};

/** Takes a message type's numbers apart into streams; `taken` are those that are clocks or tell instances apart. */
export function groupsOf(
  message: string,
  fields: readonly NumberField[],
  taken: ReadonlySet<number>,
  unitOf: (names: readonly string[]) => UnitOfMeasure,
): SignalGroup[] {
  // Older logs number their sensors by name: IMU2, GPS2, BAT2.
  const plain = message.replace(/(?<=^[A-Z]{2,3})[2-9]$/, '');
  const known = messages[message] ?? messages[plain] ?? [];
  return groupByRules(known, fields, taken, (_, own) => unitOf(own.map((at) => fields[at].name)));
}
