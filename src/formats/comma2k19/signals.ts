import type { StreamRole, UnitOfMeasure } from '#core/episode';

/** Role, column names and unit of a signal of processed_log, by the README of comma2k19. */
export interface SignalFacts {
  readonly role: StreamRole;
  readonly names: readonly string[] | null;
  readonly unit: UnitOfMeasure;
}

const axes = ['forward', 'right', 'down'];
const fixColumns = ['latitude', 'longitude', 'speed', 'utc_timestamp', 'altitude', 'bearing'];
const measurementColumns = [
  'prn',
  'gps_week',
  'gps_time_of_week',
  'glonass_channel',
  'pseudorange',
  'pseudorange_std',
  'pseudorange_rate',
  'pseudorange_rate_std',
];
const trackColumns = [
  'forward_distance',
  'left_distance',
  'relative_speed',
  'unused_3',
  'unused_4',
  'address',
  'new_track',
];

const readmeUnit = (unit: string): UnitOfMeasure => ({
  unit,
  evidence: 'known_format',
  reason: 'comma2k19 README',
});
const perColumn = (reason: string): UnitOfMeasure => ({ unit: 'mixed', evidence: 'known_format', reason });
const contradictedUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the comma2k19 README says T, but the numbers in its own example contradict that',
};

const accelerometer: SignalFacts = { role: 'imu', names: axes, unit: readmeUnit('m/s^2') };
const gyro: SignalFacts = { role: 'imu', names: axes, unit: readmeUnit('rad/s') };
const magnetometer: SignalFacts = { role: 'imu', names: axes, unit: contradictedUnit };
const speed: SignalFacts = { role: 'vehicle', names: ['speed'], unit: readmeUnit('m/s') };
const wheels: SignalFacts = {
  role: 'vehicle',
  names: ['front_left', 'front_right', 'rear_left', 'rear_right'],
  unit: readmeUnit('m/s'),
};
const liveFix: SignalFacts = {
  role: 'gnss',
  names: fixColumns,
  unit: perColumn('deg, deg, m/s, UTC time, m, deg (comma2k19 README)'),
};
/** One row per satellite: several rows share a time, so the array is no signal over time. */
const rawMeasurements: SignalFacts = {
  role: 'other',
  names: measurementColumns,
  unit: perColumn('one row per satellite (comma2k19 README)'),
};

/** Signals by their names on disk and by their names in the README, which differ. */
const knownSignals: Readonly<Record<string, SignalFacts>> = {
  'CAN/speed': speed,
  'CAN/car_speed': speed,
  'CAN/steering_angle': { role: 'vehicle', names: ['steering_angle'], unit: readmeUnit('deg') },
  'CAN/wheel_speed': wheels,
  'CAN/wheel_speeds': wheels,
  'CAN/radar': {
    role: 'other',
    names: trackColumns,
    unit: perColumn('one row per radar track: m, m, m/s, … (comma2k19 README)'),
  },
  'IMU/accelerometer': accelerometer,
  'IMU/acceleration': accelerometer,
  'IMU/gyro': gyro,
  'IMU/gyro_uncalibrated': gyro,
  // A bias estimate, which is constant by design.
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
  unit: { unit: 'unknown', evidence: 'unknown', reason: 'not described by comma2k19' },
};

/**
 * Returns role, names and unit of a signal such as `CAN/speed`; role `other` and an unknown unit for signals that the
 * README does not describe.
 */
export function signalFacts(signal: string): SignalFacts {
  return knownSignals[signal] ?? unknownSignal;
}

/** Plausible range of the Earth's field strength in µT, with room for the influence of the car. */
const earthField_uT = [15, 100] as const;

/**
 * Infers the unit of a magnetometer (µT or T) from the median field strength, which must be that of the Earth; `null`
 * if neither unit fits.
 * @param values samples of three components
 */
export function inferFieldUnit(values: Float64Array): UnitOfMeasure | null {
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
        reason: `the median field strength of ${median.toPrecision(3)} matches the earth's field in ${unit}; the README says T`,
      };
  }
  return null;
}
