import type { StreamRole, UnitOfMeasure } from '#core/episode';

/** What the README of comma2k19 says of a signal of processed_log. */
export interface SignalFacts {
  readonly role: StreamRole;
  readonly names: readonly string[] | null;
  readonly unit: UnitOfMeasure;
}

const axes = ['forward', 'right', 'down'];
const fix = ['latitude', 'longitude', 'speed', 'utc_timestamp', 'altitude', 'bearing'];
const measurement = [
  'prn',
  'gps_week',
  'gps_time_of_week',
  'glonass_channel',
  'pseudorange',
  'pseudorange_std',
  'pseudorange_rate',
  'pseudorange_rate_std',
];
const track = [
  'forward_distance',
  'left_distance',
  'relative_speed',
  'unused_3',
  'unused_4',
  'address',
  'new_track',
];

const said = (unit: string): UnitOfMeasure => ({
  unit,
  evidence: 'known_format',
  reason: 'the README of comma2k19',
});
const perColumn = (reason: string): UnitOfMeasure => ({ unit: 'mixed', evidence: 'known_format', reason });
const undecided: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the README of comma2k19 says T, which the numbers of its own example contradict',
};

const accelerometer: SignalFacts = { role: 'imu', names: axes, unit: said('m/s^2') };
const gyro: SignalFacts = { role: 'imu', names: axes, unit: said('rad/s') };
const magnetometer: SignalFacts = { role: 'imu', names: axes, unit: undecided };
const speed: SignalFacts = { role: 'vehicle', names: ['speed'], unit: said('m/s') };
const wheels: SignalFacts = {
  role: 'vehicle',
  names: ['front_left', 'front_right', 'rear_left', 'rear_right'],
  unit: said('m/s'),
};
const liveFix: SignalFacts = {
  role: 'gnss',
  names: fix,
  unit: perColumn('deg, deg, m/s, UTC time, m, deg by the README of comma2k19'),
};
/** One row a satellite or a radar track: several rows share a time, so they are no signal over time. */
const rawMeasurements: SignalFacts = {
  role: 'other',
  names: measurement,
  unit: perColumn('one row a satellite, by the README of comma2k19'),
};

/** By the names on disk, and by those of the README, which differ. */
const known: Readonly<Record<string, SignalFacts>> = {
  'CAN/speed': speed,
  'CAN/car_speed': speed,
  'CAN/steering_angle': { role: 'vehicle', names: ['steering_angle'], unit: said('deg') },
  'CAN/wheel_speed': wheels,
  'CAN/wheel_speeds': wheels,
  'CAN/radar': {
    role: 'other',
    names: track,
    unit: perColumn('one row a radar track: m, m, m/s, …, by the README of comma2k19'),
  },
  'IMU/accelerometer': accelerometer,
  'IMU/acceleration': accelerometer,
  'IMU/gyro': gyro,
  'IMU/gyro_uncalibrated': gyro,
  // An estimate that stands still on purpose.
  'IMU/gyro_bias': { ...gyro, role: 'other' },
  'IMU/magnetometer': magnetometer,
  'IMU/magnetic': magnetometer,
  'IMU/magnetometer_uncalibrated': magnetometer,
  'IMU/magnetic_uncalibrated': magnetometer,
  'GNSS/live_gnss_qcom': liveFix,
  'GNSS/live_gnss_ublox': liveFix,
  'GNSS/raw_gnss_qcom': rawMeasurements,
  'GNSS/raw_gnss_ublox': rawMeasurements,
};

const unknownSignal: SignalFacts = {
  role: 'other',
  names: null,
  unit: { unit: 'unknown', evidence: 'unknown', reason: 'comma2k19 does not describe this signal' },
};

/** `CAN/speed`: role, names and unit of it. */
export function signalFacts(signal: string): SignalFacts {
  return known[signal] ?? unknownSignal;
}

/** Strength of the earth's field in µT, at its weakest and strongest, with room for a car around the sensor. */
const earthField_uT = [15, 100] as const;

/** A compass reads the earth's field, so its unit shows in the numbers. Samples of three; null where it does not. */
export function fieldUnit(values: Float64Array): UnitOfMeasure | null {
  const strengths = new Float64Array(values.length / 3);
  for (let i = 0; i < strengths.length; i++)
    strengths[i] = Math.hypot(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  const median = strengths.sort()[strengths.length >> 1];
  for (const [unit, factor] of [
    ['uT', 1],
    ['T', 1e6],
  ] as const) {
    const field = median * factor;
    if (field >= earthField_uT[0] && field <= earthField_uT[1])
      return {
        unit,
        evidence: 'measured',
        reason: `half of the samples are stronger than ${median.toPrecision(3)}, which is the earth's field in ${unit}; the README says T`,
      };
  }
  return null;
}
