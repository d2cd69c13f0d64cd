import type { StreamRole, UnitOfMeasure } from '#core/episode';

/** Columns of a GPMF entry that form one stream. */
export interface SignalGroup {
  /** Appended to the key with a dot; '' for the key alone. */
  readonly suffix: string;
  readonly role: StreamRole;
  /** First column and number of columns; `null` for all. */
  readonly columns: readonly [number, number] | null;
  readonly names: readonly string[] | null;
}

/** One kind of GPMF entry that is read. */
export interface SignalFacts {
  readonly groups: readonly SignalGroup[];
  /** True if ORIN, ORIO and MTRX apply, which turn the axes of the sensor into those of the camera. */
  readonly isOriented: boolean;
  /** Unit by GoPro's documentation where the payload declares none; `null` if it is unknown. */
  readonly unit: string | null;
}

const whole = (
  role: StreamRole,
  unit: string | null,
  { names = null, isOriented = false }: { names?: readonly string[] | null; isOriented?: boolean } = {},
): SignalFacts => ({ groups: [{ suffix: '', role, columns: null, names }], isOriented, unit });

const position: SignalGroup = {
  suffix: 'position',
  role: 'gnss',
  columns: [0, 3],
  names: ['lat', 'lon', 'alt'],
};
const speed: SignalGroup = {
  suffix: 'speed',
  role: 'gnss',
  columns: [3, 2],
  names: ['speed_2d', 'speed_3d'],
};

/** Entries that are read, by key. Their meaning is documented in github.com/gopro/gpmf-parser (README). */
export const signals: Readonly<Record<string, SignalFacts>> = {
  ACCL: whole('imu', 'm/s²', { isOriented: true }),
  GYRO: whole('imu', 'rad/s', { isOriented: true }),
  MAGN: whole('imu', 'µT', { isOriented: true }),
  GRAV: whole('imu', 'normalised'),
  CORI: whole('attitude', 'quaternion'),
  IORI: whole('attitude', 'quaternion'),
  GPS5: { groups: [position, speed], isOriented: false, unit: null },
  GPS9: {
    groups: [
      position,
      speed,
      { suffix: 'quality', role: 'gnss', columns: [7, 2], names: ['dop', 'fix_type'] },
    ],
    isOriented: false,
    unit: null,
  },
  SHUT: whole('other', 's', { names: ['exposure_time'] }),
  ISOE: whole('other', null, { names: ['iso'] }),
  ISOG: whole('other', null, { names: ['sensor_gain'] }),
};

/** Entries of which GoPro writes one per video frame, so that the first is of the first frame. */
export const frameKeys: readonly string[] = ['SHUT', 'ISOE', 'ISOG'];

/**
 * Returns the unit of a group's columns by the SIUN or UNIT entry of its payload, or by GoPro's documentation if there is
 * none; `unknown` without either, `mixed` with each unit in the reason if they differ.
 * @param declared one unit for all columns, or one per column; empty if the payload declares none
 */
export function groupUnit(
  { unit }: SignalFacts,
  { columns, names }: SignalGroup,
  declared: readonly string[],
): UnitOfMeasure {
  if (declared.length === 0)
    return unit === null
      ? { unit: 'unknown', evidence: 'unknown', reason: 'the telemetry declares no unit' }
      : { unit, evidence: 'known_format', reason: "GoPro's documentation of GPMF" };
  const reason = 'SIUN or UNIT entry of the telemetry';
  const [from, count] = columns ?? [0, declared.length];
  const own = declared.length === 1 ? [...declared] : declared.slice(from, from + count);
  const [first] = own;
  if (first === undefined || own.some((text) => text === ''))
    return {
      unit: 'unknown',
      evidence: 'unknown',
      reason: 'the telemetry declares no unit for these columns',
    };
  if (own.every((text) => text === first)) return { unit: first, evidence: 'declared', reason };
  const listed = own.map((text, i) => `${names?.[i] ?? i} ${text}`).join(', ');
  return { unit: 'mixed', evidence: 'declared', reason: `${reason}: ${listed}` };
}
