import type { StreamRole, UnitOfMeasure } from '#core/episode';
import type { NumberField } from '../shared/flight/decode-numbers.ts';
import { type GroupRule, groupByRules, type SignalGroup } from '../shared/flight/signal-table.ts';

/** A group of related fields of a PX4 topic. */
interface Px4Rule extends GroupRule {
  /** Unit; `null` if the log does not define it. */
  readonly unit: string | null;
  /** Description by PX4's message definition. */
  readonly description: string;
}

const rule = (suffix: string, fields: RegExp, role: StreamRole, unit: string, words: string): Px4Rule => ({
  ...{ suffix, fields, role, unit, description: words },
});

const notControlled = 'PX4: NaN in a setpoint means that this value is not controlled';
const setpoint = (suffix: string, fields: RegExp, unit: string, words: string): Px4Rule => ({
  ...rule(suffix, fields, 'action', unit, words),
  nan_means: notControlled,
});

const quaternion = (role: StreamRole): Px4Rule =>
  rule(
    'q',
    /^q\[/,
    role,
    'quaternion',
    'w, x, y, z, from the body (forward, right, down) to the world (north, east, down)',
  );
const rates = rule(
  'rates',
  /^(rollspeed|pitchspeed|yawspeed)$/,
  'attitude',
  'rad/s',
  'angular velocity about the body axes',
);
const gyro = rule('gyro', /^gyro(_rad)?\[/, 'imu', 'rad/s', 'angular velocity in the body frame');
const accelerometer = rule(
  'accelerometer',
  /^accelerometer_m_s2\[/,
  'imu',
  'm/s²',
  'specific force in the body frame',
);
const magnetometer = rule(
  'magnetometer',
  /^magnetometer_ga\[/,
  'imu',
  'Ga',
  'magnetic field in the body frame',
);
const power = rule(
  'power',
  /^(voltage(_filtered)?_v|current(_filtered|_average)?_a|discharged_mah|remaining|cell_count|connected)$/,
  'other',
  'mixed',
  'V, A, mAh, share of 1, cells',
);

const position = rule('position', /^(x|y|z)$/, 'odometry', 'm', 'north, east, down from the local origin');
const velocity = rule('velocity', /^(vx|vy|vz)$/, 'odometry', 'm/s', 'north, east, down');
const acceleration = rule('acceleration', /^(ax|ay|az)$/, 'odometry', 'm/s²', 'north, east, down');

const satellite: readonly Px4Rule[] = [
  rule(
    'position',
    /^(lat|lon|alt|alt_ellipsoid)$/,
    'gnss',
    'mixed',
    '1e-7 degrees, 1e-7 degrees, millimetres, as integers',
  ),
  rule(
    'position',
    /^(latitude_deg|longitude_deg|altitude_msl_m|altitude_ellipsoid_m)$/,
    'gnss',
    'mixed',
    'degrees, degrees, metres',
  ),
  rule('velocity', /^vel_(n_m_s|e_m_s|d_m_s|m_s)$/, 'gnss', 'm/s', 'north, east, down and over ground'),
  rule(
    'quality',
    /^(fix_type|eph|epv|hdop|vdop|s_variance_m_s|c_variance_rad|satellites_used|noise_per_ms|jamming_indicator|jamming_state|spoofing_state|vel_ned_valid)$/,
    'gnss',
    'mixed',
    'fix type, metres, dilution of precision, counts, indicators',
  ),
];

const attitudeSetpoint: readonly Px4Rule[] = [
  setpoint('q', /^q_d\[/, 'quaternion', 'attitude setpoint w, x, y, z'),
  setpoint('euler', /^(roll|pitch|yaw)_body$/, 'rad', 'setpoint roll, pitch, yaw'),
  setpoint('yaw_rate', /^yaw_sp_move_rate$/, 'rad/s', 'yaw rate setpoint'),
  setpoint('thrust', /^(thrust|thrust_body\[\d+\])$/, 'normalised', 'thrust setpoint, −1 to 1'),
];

/**
 * Rules that group fields of well-known topics into streams, by PX4's message definitions. Other fields go into streams
 * beside them.
 */
const px4Topics: Readonly<Record<string, readonly Px4Rule[]>> = {
  vehicle_attitude: [quaternion('attitude'), rates],
  vehicle_attitude_groundtruth: [quaternion('attitude'), rates],
  estimator_attitude: [quaternion('attitude')],
  vehicle_angular_velocity: [
    rule('rates', /^xyz\[/, 'imu', 'rad/s', 'filtered angular velocity about the body axes'),
  ],
  vehicle_acceleration: [
    rule('acceleration', /^xyz\[/, 'imu', 'm/s²', 'filtered specific force in the body frame'),
  ],
  sensor_combined: [gyro, accelerometer, magnetometer],
  sensor_gyro: [rule('gyro', /^(x|y|z)$/, 'imu', 'rad/s', 'angular velocity in the board frame')],
  sensor_accel: [rule('accelerometer', /^(x|y|z)$/, 'imu', 'm/s²', 'specific force in the board frame')],
  sensor_mag: [rule('magnetometer', /^(x|y|z)$/, 'imu', 'Ga', 'magnetic field in the board frame')],
  vehicle_magnetometer: [magnetometer],
  vehicle_imu: [
    rule('delta_angle', /^delta_angle\[/, 'imu', 'rad', 'angle change since the previous sample'),
    rule('delta_velocity', /^delta_velocity\[/, 'imu', 'm/s', 'velocity change since the previous sample'),
  ],
  vehicle_local_position: [
    position,
    velocity,
    acceleration,
    rule('heading', /^(heading|yaw)$/, 'odometry', 'rad', 'from north, clockwise'),
  ],
  vehicle_local_position_groundtruth: [position, velocity, acceleration],
  estimator_local_position: [position, velocity, acceleration],
  vehicle_odometry: [
    quaternion('odometry'),
    rule('position', /^(position\[\d\]|x|y|z)$/, 'odometry', 'm', 'in the frame given by pose_frame'),
    rule(
      'velocity',
      /^(velocity\[\d\]|vx|vy|vz)$/,
      'odometry',
      'm/s',
      'in the frame given by velocity_frame',
    ),
    rule(
      'rates',
      /^(angular_velocity\[\d\]|rollspeed|pitchspeed|yawspeed)$/,
      'odometry',
      'rad/s',
      'about the body axes',
    ),
  ],
  vehicle_global_position: [
    rule(
      'position',
      /^(lat|lon|alt|alt_ellipsoid)$/,
      'odometry',
      'mixed',
      'degrees, degrees, metres above sea level',
    ),
  ],
  vehicle_gps_position: satellite,
  sensor_gps: satellite,
  vehicle_attitude_setpoint: attitudeSetpoint,
  vehicle_rates_setpoint: [
    setpoint('rates', /^(roll|pitch|yaw)$/, 'rad/s', 'angular velocity setpoint about the body axes'),
    setpoint('thrust', /^(thrust|thrust_body\[\d+\])$/, 'normalised', 'thrust setpoint, −1 to 1'),
  ],
  vehicle_local_position_setpoint: [
    setpoint('position', /^(x|y|z)$/, 'm', 'setpoint north, east, down'),
    setpoint('velocity', /^(vx|vy|vz)$/, 'm/s', 'setpoint north, east, down'),
    setpoint(
      'acceleration',
      /^(acc_x|acc_y|acc_z|acceleration\[\d\])$/,
      'm/s²',
      'setpoint north, east, down',
    ),
    setpoint('yaw', /^(yaw|yawspeed)$/, 'mixed', 'heading setpoint in rad and its rate in rad/s'),
  ],
  trajectory_setpoint: [
    setpoint('position', /^(position\[\d\]|x|y|z)$/, 'm', 'setpoint north, east, down'),
    setpoint('velocity', /^(velocity\[\d\]|vx|vy|vz)$/, 'm/s', 'setpoint north, east, down'),
    setpoint('acceleration', /^acceleration\[\d\]$/, 'm/s²', 'setpoint north, east, down'),
    setpoint('yaw', /^(yaw|yawspeed)$/, 'mixed', 'heading setpoint in rad and its rate in rad/s'),
  ],
  vehicle_torque_setpoint: [
    setpoint('torque', /^xyz\[/, 'normalised', 'torque setpoint about the body axes, −1 to 1'),
  ],
  vehicle_thrust_setpoint: [
    setpoint('thrust', /^xyz\[/, 'normalised', 'thrust setpoint along the body axes, −1 to 1'),
  ],
  actuator_motors: [
    {
      ...setpoint('control', /^control\[/, 'normalised', 'thrust setpoint of each motor, −1 to 1'),
      nan_means: 'PX4: NaN means that this motor is stopped',
    },
  ],
  actuator_servos: [
    {
      ...setpoint('control', /^control\[/, 'normalised', 'deflection setpoint of each servo, −1 to 1'),
      nan_means: 'PX4: NaN means that this servo is disarmed',
    },
  ],
  manual_control_setpoint: [
    setpoint('sticks', /^(x|y|z|r|roll|pitch|yaw|throttle)$/, 'normalised', "the pilot's sticks, −1 to 1"),
  ],
  battery_status: [power],
  actuator_outputs: [
    {
      ...setpoint('output', /^output\[/, 'unknown', ''),
      unit: null,
      description:
        'pulse width in µs, DShot steps or a fraction, depending on the output driver; the log does not say',
      nan_means: 'PX4: NaN means that this output is disarmed',
    },
  ],
};
const actuatorControls = [
  setpoint('control', /^control\[/, 'normalised', 'roll, pitch, yaw, thrust and more, −1 to 1'),
];

function topicRules(topic: string): readonly Px4Rule[] {
  if (Object.hasOwn(px4Topics, topic)) return px4Topics[topic];
  return /^actuator_controls_\d$/.test(topic) ? actuatorControls : [];
}

/**
 * Groups the numbers of a topic into streams by the rules for it; numbers without a rule form one stream with role
 * `other`.
 * @param excluded indices of fields that are clocks
 */
export function groupTopicFields(
  topic: string,
  fields: readonly NumberField[],
  excluded: ReadonlySet<number>,
): SignalGroup[] {
  return groupByRules(topicRules(topic), fields, excluded, (rule) => groupUnit(topic, rule));
}

function groupUnit(topic: string, rule: Px4Rule | null): UnitOfMeasure {
  if (rule === null) return unnamedUnit;
  const reason = `PX4's ${topic}: ${rule.description}`;
  if (rule.unit === null) return { unit: 'unknown', evidence: 'unknown', reason };
  return { unit: rule.unit, evidence: 'known_format', reason };
}

const unnamedUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'ULog declares no units; several fields have theirs in the name',
};
