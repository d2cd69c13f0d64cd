import { countPhrase } from '#core';
import type {
  Calibration,
  Clock,
  ClockChoice,
  Finding,
  Stream,
  StreamRole,
  UnitOfMeasure,
} from '#core/episode';
import type { SourceTree } from '#io/sources';
import { formatRanges } from '../shared/numbers.ts';
import { type Drive, type NumberedFile, numberedFiles, secondsSince, type Timestamps } from './layout.ts';
import { kittiViolation } from './rules.ts';

/** Frames of one sensor with their files and times, and findings about frames that lack either. */
export interface SensorFrames {
  readonly sensor: string;
  readonly files: readonly NumberedFile[];
  readonly times: Timestamps | null;
  readonly findings: readonly Finding[];
}

/**
 * Pairs files with times by frame number; files without a time are dropped, and these and times without a file become
 * findings. Without times, all files are returned untimed.
 */
export function pairFrames(
  sensor: string,
  files: readonly NumberedFile[],
  times: Timestamps | null,
): SensorFrames {
  if (times === null) {
    const findings = files.length === 0 ? [] : [untimedFinding(sensor, files[0].path)];
    return { sensor, files, times, findings };
  }
  const isTimed = ({ number }: NumberedFile) => Number.isFinite(times.whole_s[number] ?? Number.NaN);
  const timed = files.filter(isTimed);
  const findings = [...times.findings];
  if (timed.length < files.length)
    findings.push(
      timelessFinding(
        sensor,
        files.filter((file) => !isTimed(file)),
      ),
    );
  const present = new Set(timed.map(({ number }) => number));
  const missing: number[] = [];
  for (let i = 0; i < times.whole_s.length; i++)
    if (Number.isFinite(times.whole_s[i]) && !present.has(i)) missing.push(i);
  if (missing.length > 0) findings.push(missingFinding(sensor, times, missing));
  return { sensor, files: timed, times, findings };
}

function untimedFinding(sensor: string, path: string): Finding {
  return {
    code: 'timestamps_missing',
    severity: 'error',
    path: `${path.slice(0, path.lastIndexOf('/data/'))}/timestamps.txt`,
    message: `${sensor} has no timestamps.txt; its frames are listed without timestamps`,
    advice: 'copy timestamps.txt of this sensor; the timestamps of another sensor do not apply',
  };
}

function timelessFinding(sensor: string, files: readonly NumberedFile[]): Finding {
  return {
    code: 'frames_without_time',
    severity: 'error',
    path: files[0].path,
    message: `${sensor}: ${countPhrase(files.length, 'files have')} no timestamp and had to be left out (frames ${formatRanges(files.map(({ number }) => number))})`,
    advice: 'restore timestamps.txt: it has one line per frame',
    evidence: { files: files.length },
  };
}

function missingFinding(sensor: string, { path, whole_s }: Timestamps, missing: readonly number[]): Finding {
  return {
    code: 'frames_missing',
    severity: 'error',
    path,
    message: `${sensor}: ${countPhrase(missing.length, 'frames have', whole_s.length)} a timestamp but no file (${formatRanges(missing)})`,
    advice: 'unpack the archive of this drive again',
    evidence: { listed: whole_s.length, absent: missing.length },
  };
}

/** Earliest time of a drive, in seconds of its local calendar. */
export interface TimeOrigin {
  readonly whole_s: number;
  readonly fraction_s: number;
}

const sensorClockChoice: ClockChoice = {
  index: 0,
  reason: 'timestamps of this sensor, by line number; local time without a time zone',
};

/** Returns the stream of a camera with one image file per frame; no clock if the sensor has no times. */
export function cameraStream(
  { sensor, files, times }: SensorFrames,
  drive: Drive,
  calibrations: readonly Calibration[],
  origin: TimeOrigin,
): Stream {
  return {
    id: sensor,
    role: 'camera',
    modality: 'image',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'image file' },
    declared_rate_hz: null,
    sample_count: files.length,
    ...buildClocks(files, [times], origin),
    frames: {
      locator: { type: 'image-files', paths: files.map(({ path }) => path) },
      declared_size_px: declaredSize(calibrations, sensor, drive),
      declared_codec: null,
    },
  };
}

/**
 * Returns the image size by the calibration: `S` for recorded images, `S_rect` for the rectified ones of a sync drive;
 * `null` if unknown.
 */
function declaredSize(
  calibrations: readonly Calibration[],
  sensor: string,
  { kind }: Drive,
): readonly [number, number] | null {
  const values = calibrations.find(({ target }) => target === sensor)?.values;
  const size = kind === null ? undefined : values?.[kind === 'sync' ? 'S_rect' : 'S'];
  return size?.length === 2 ? [size[0], size[1]] : null;
}

/** Bytes per point: x, y, z and reflectance as float32. */
const pointBytes = 16;

/**
 * Returns two streams: the laser scans, which stay in their files, and the number of points per scan, computed from the
 * file size.
 */
export function lidarStreams({ files, times }: SensorFrames, turns: ScanTimes, origin: TimeOrigin): Stream[] {
  const clock = buildClocks(files, [times, turns.start, turns.end], origin);
  const values = Float64Array.from(files, ({ bytes }) => Math.floor(bytes / pointBytes));
  const pointsUnit: UnitOfMeasure = {
    unit: 'points',
    evidence: 'measured',
    reason: 'file size / 16: x, y, z and reflectance as floats',
  };
  const base = { declared_rate_hz: null, sample_count: files.length, ...clock };
  const unit: UnitOfMeasure = { unit: 'm', evidence: 'known_format', reason: 'KITTI raw readme' };
  return [
    {
      ...base,
      id: 'velodyne_points',
      role: 'lidar',
      modality: 'opaque',
      shape: [],
      names: ['x', 'y', 'z', 'reflectance'],
      unit,
    },
    {
      ...base,
      id: 'velodyne_points/count',
      role: 'other',
      modality: 'numeric',
      shape: [1],
      names: ['points'],
      unit: pointsUnit,
      series: { values, dims: 1 },
    },
  ];
}

/** Start and end times of the laser's rotations; `null` if the drive lacks the file. */
export interface ScanTimes {
  readonly start: Timestamps | null;
  readonly end: Timestamps | null;
}

/**
 * Splits the laser scans of a drive into those that are a whole number of points and the empty or incomplete others.
 */
export function splitScans(drive: Drive): { valid: NumberedFile[]; invalid: NumberedFile[] } {
  const files = numberedFiles(drive, 'velodyne_points', /^bin$/i);
  const isInvalid = ({ bytes }: NumberedFile) => bytes === 0 || bytes % pointBytes !== 0;
  return { valid: files.filter((file) => !isInvalid(file)), invalid: files.filter(isInvalid) };
}

/** Returns one numeric stream per group of OXTS fields (position, attitude, velocity, …), one sample per packet. */
export function oxtsStreams(
  { files, times }: SensorFrames,
  packets: OxtsPackets,
  origin: TimeOrigin,
): Stream[] {
  const clock = buildClocks(files, [times], origin);
  return oxtsGroups.map(({ id, role, unit, first, names }) => ({
    id: `oxts/${id}`,
    role,
    modality: 'numeric',
    shape: [names.length],
    names,
    unit: { unit, evidence: 'known_format', reason: 'dataformat.txt of KITTI raw' },
    declared_rate_hz: null,
    sample_count: files.length,
    ...clock,
    series: { values: selectColumns(packets, first, names.length), dims: names.length },
  }));
}

function buildClocks(
  files: readonly NumberedFile[],
  times: readonly (Timestamps | null)[],
  origin: TimeOrigin,
): Pick<Stream, 'clocks' | 'clock'> {
  const frames = files.map(({ number }) => number);
  const clocks = times.flatMap((clockTimes): Clock[] => {
    if (clockTimes === null) return [];
    const name = clockTimes.path.slice(clockTimes.path.lastIndexOf('/') + 1);
    return [{ name, provenance: 'header', time_s: secondsSince(clockTimes, frames, origin) }];
  });
  return times[0] === null ? { clocks: [], clock: null } : { clocks, clock: sensorClockChoice };
}

/** OXTS packets in the order of their files, row-major. All numbers of an unreadable packet are NaN. */
interface OxtsPackets {
  readonly values: Float64Array;
  readonly findings: readonly Finding[];
}

/** Bytes read per packet; a packet is about 400 bytes of text. */
const packetBytes = 4096;
const maxConcurrentReads = 16;

/**
 * Reads the numbers of OXTS packets, one small text file each; all numbers of an unreadable packet are NaN, and these
 * are reported in one finding.
 */
export async function readOxts(tree: SourceTree, files: readonly NumberedFile[]): Promise<OxtsPackets> {
  const width = oxtsFields.length;
  const values = new Float64Array(files.length * width).fill(Number.NaN);
  const invalidPaths: string[] = [];
  let next = 0;
  const readNext = async () => {
    while (next < files.length) {
      const row = next++;
      const { path } = files[row];
      const text = new TextDecoder().decode(await tree.head(path, packetBytes).catch(() => new Uint8Array()));
      const numbers = text.trim().split(/\s+/).map(Number);
      if (numbers.length === width && numbers.every(Number.isFinite)) values.set(numbers, row * width);
      else invalidPaths.push(path);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrentReads, files.length) }, readNext));
  return {
    values,
    findings: invalidPaths.length === 0 ? [] : [packetFinding(invalidPaths.sort(), files.length)],
  };
}

function packetFinding(invalidPaths: readonly string[], packets: number): Finding {
  const message = `${invalidPaths.length} of ${packets} OXTS packets do not have ${oxtsFields.length} numbers (${invalidPaths.slice(0, 3).join(', ')})`;
  return kittiViolation('oxts_packet_unreadable', invalidPaths[0], message, {
    packets,
    unreadable: invalidPaths.length,
  });
}

/** Copies columns `first` to `first + count` (exclusive) of the packets. */
function selectColumns({ values }: OxtsPackets, first: number, count: number): Float64Array {
  const width = oxtsFields.length;
  const rows = values.length / width;
  const out = new Float64Array(rows * count);
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < count; k++) out[row * count + k] = values[row * width + first + k];
  return out;
}

/** A group of related fields of a packet. */
interface OxtsGroup {
  readonly id: string;
  readonly role: StreamRole;
  readonly unit: string;
  readonly first: number;
  readonly names: readonly string[];
}

const groupTable = [
  ['position', 'gnss', 'mixed', 'lat lon alt'],
  ['attitude', 'attitude', 'rad', 'roll pitch yaw'],
  ['velocity', 'vehicle', 'm/s', 'vn ve vf vl vu'],
  ['acceleration', 'imu', 'm/s^2', 'ax ay az af al au'],
  ['angular_rate', 'imu', 'rad/s', 'wx wy wz wf wl wu'],
  ['accuracy', 'other', 'mixed', 'pos_accuracy vel_accuracy'],
  ['status', 'other', 'none', 'navstat numsats posmode velmode orimode'],
] as const satisfies readonly (readonly [string, StreamRole, string, string])[];

/** Fields of an OXTS RT3003 packet, as in the devkit's dataformat.txt. */
const oxtsGroups: readonly OxtsGroup[] = groupTable.map(([id, role, unit, text], k) => ({
  id,
  role,
  unit,
  first: groupTable.slice(0, k).reduce((sum, [, , , names]) => sum + names.split(' ').length, 0),
  names: text.split(' '),
}));

/** Names of all fields of a packet, in order. */
export const oxtsFields = oxtsGroups.flatMap(({ names }) => names);

/**
 * Returns the field names of dataformat.txt in order, from lines such as `lat:   latitude of the oxts-unit (deg)`;
 * other lines are skipped.
 */
export function parseFormatNames(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\s*([a-z_]+)\s*:/i.exec(line)?.[1] ?? []);
}
