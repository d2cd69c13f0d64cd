import { counted } from '#core';
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
import { rangesOf } from '../shared/number-ranges.ts';
import { type Drive, type NumberedFile, numberedFiles } from './layout.ts';
import { kittiBreach } from './rules.ts';
import { secondsOf, type Timestamps } from './timestamps.ts';

/** The frames of one sensor that have both a file and a time. */
export interface SensorFrames {
  readonly sensor: string;
  readonly files: readonly NumberedFile[];
  readonly times: Timestamps | null;
  readonly findings: readonly Finding[];
}

/** Pairs files with times by frame number; what has no partner becomes a finding. */
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
  const there = new Set(timed.map(({ number }) => number));
  const absent: number[] = [];
  for (let i = 0; i < times.whole_s.length; i++)
    if (Number.isFinite(times.whole_s[i]) && !there.has(i)) absent.push(i);
  if (absent.length > 0) findings.push(absentFinding(sensor, times, absent));
  return { sensor, files: timed, times, findings };
}

function untimedFinding(sensor: string, path: string): Finding {
  return {
    code: 'timestamps_missing',
    severity: 'error',
    path: `${path.slice(0, path.lastIndexOf('/data/'))}/timestamps.txt`,
    message: `${sensor} has no timestamps.txt; its frames are listed without times`,
    advice: 'copy timestamps.txt of this sensor; the times of another sensor are not its own',
  };
}

function timelessFinding(sensor: string, files: readonly NumberedFile[]): Finding {
  return {
    code: 'frames_without_time',
    severity: 'error',
    path: files[0].path,
    message: `${sensor}: ${counted(files.length, 'files have')} no time and had to be left out (frames ${rangesOf(files.map(({ number }) => number))})`,
    advice: 'restore timestamps.txt: it has a line for every frame',
    evidence: { files: files.length },
  };
}

function absentFinding(sensor: string, { path, whole_s }: Timestamps, absent: readonly number[]): Finding {
  return {
    code: 'frames_missing',
    severity: 'error',
    path,
    message: `${sensor}: ${counted(absent.length, 'frames have', whole_s.length)} a time and no file (${rangesOf(absent)})`,
    advice: 'unpack the archive of this drive again',
    evidence: { listed: whole_s.length, absent: absent.length },
  };
}

/** The first moment of a drive, in seconds of its local calendar. */
export interface Zero {
  readonly whole_s: number;
  readonly fraction_s: number;
}

const ownTimes: ClockChoice = {
  index: 0,
  reason: 'the times written for this sensor, by line number; local, without a zone',
};

export function cameraStream(
  { sensor, files, times }: SensorFrames,
  drive: Drive,
  calibrations: readonly Calibration[],
  zero: Zero,
): Stream {
  return {
    id: sensor,
    role: 'camera',
    modality: 'image',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'a picture file' },
    declared_rate_hz: null,
    sample_count: files.length,
    ...clocksOf(files, [times], zero),
    frames: {
      locator: { type: 'image-files', paths: files.map(({ path }) => path) },
      declared_size_px: sizeOf(calibrations, sensor, drive),
      declared_codec: null,
    },
  };
}

/** `S` is the size as recorded, `S_rect` that of the rectified pictures of a sync drive. */
function sizeOf(
  calibrations: readonly Calibration[],
  sensor: string,
  { kind }: Drive,
): readonly [number, number] | null {
  const values = calibrations.find(({ target }) => target === sensor)?.values;
  const size = kind === null ? undefined : values?.[kind === 'sync' ? 'S_rect' : 'S'];
  return size?.length === 2 ? [size[0], size[1]] : null;
}

/** x, y, z and reflectance as floats. */
const pointBytes = 16;

/** Scans stay in their files; how many points each has, its size tells. */
export function lidarStreams({ files, times }: SensorFrames, turns: Turns, zero: Zero): Stream[] {
  const clock = clocksOf(files, [times, turns.start, turns.end], zero);
  const values = Float64Array.from(files, ({ bytes }) => Math.floor(bytes / pointBytes));
  const counted: UnitOfMeasure = {
    unit: 'points',
    evidence: 'measured',
    reason: 'size of the file / 16: x, y, z and reflectance as floats',
  };
  const base = { declared_rate_hz: null, sample_count: files.length, ...clock };
  const unit: UnitOfMeasure = { unit: 'm', evidence: 'known_format', reason: 'the readme of KITTI raw' };
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
      unit: counted,
      series: { values, dims: 1 },
    },
  ];
}

/** When a turn of the laser began and ended, where the drive says so. */
export interface Turns {
  readonly start: Timestamps | null;
  readonly end: Timestamps | null;
}

export function scansBySize(drive: Drive): { whole: NumberedFile[]; odd: NumberedFile[] } {
  const files = numberedFiles(drive, 'velodyne_points', /^bin$/i);
  const isOdd = ({ bytes }: NumberedFile) => bytes === 0 || bytes % pointBytes !== 0;
  return { whole: files.filter((file) => !isOdd(file)), odd: files.filter(isOdd) };
}

export function oxtsStreams({ files, times }: SensorFrames, packets: OxtsPackets, zero: Zero): Stream[] {
  const clock = clocksOf(files, [times], zero);
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
    series: { values: columnsOf(packets, first, names.length), dims: names.length },
  }));
}

function clocksOf(
  files: readonly NumberedFile[],
  times: readonly (Timestamps | null)[],
  zero: Zero,
): Pick<Stream, 'clocks' | 'clock'> {
  const frames = files.map(({ number }) => number);
  const clocks = times.flatMap((one): Clock[] => {
    if (one === null) return [];
    const name = one.path.slice(one.path.lastIndexOf('/') + 1);
    return [{ name, provenance: 'header', time_s: secondsOf(one, frames, zero) }];
  });
  return times[0] === null ? { clocks: [], clock: null } : { clocks, clock: ownTimes };
}

/** Packets in the order of their files, row-major; a field that could not be read is NaN. */
interface OxtsPackets {
  readonly values: Float64Array;
  readonly findings: readonly Finding[];
}

/** A packet is some 400 bytes of text. */
const packetBytes = 4096;
const ahead = 16;

/** Reads a small text file a packet, some of them at a time. */
export async function readOxts(tree: SourceTree, files: readonly NumberedFile[]): Promise<OxtsPackets> {
  const width = oxtsFields.length;
  const values = new Float64Array(files.length * width).fill(Number.NaN);
  const odd: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const row = next++;
      const { path } = files[row];
      const text = new TextDecoder().decode(await tree.head(path, packetBytes).catch(() => new Uint8Array()));
      const numbers = text.trim().split(/\s+/).map(Number);
      if (numbers.length === width && numbers.every(Number.isFinite)) values.set(numbers, row * width);
      else odd.push(path);
    }
  };
  await Promise.all(Array.from({ length: Math.min(ahead, files.length) }, work));
  return { values, findings: odd.length === 0 ? [] : [oddFinding(odd.sort(), files.length)] };
}

function oddFinding(odd: readonly string[], packets: number): Finding {
  const message = `${odd.length} of ${packets} OXTS packets are not ${oxtsFields.length} numbers (${odd.slice(0, 3).join(', ')})`;
  return kittiBreach('oxts_packet_unreadable', odd[0], message, { packets, unreadable: odd.length });
}

/** Columns `first` to `first + count` of the packets. */
function columnsOf({ values }: OxtsPackets, first: number, count: number): Float64Array {
  const width = oxtsFields.length;
  const rows = values.length / width;
  const out = new Float64Array(rows * count);
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < count; k++) out[row * count + k] = values[row * width + first + k];
  return out;
}

/** Some of the 30 numbers of a packet, which go together. */
interface OxtsGroup {
  readonly id: string;
  readonly role: StreamRole;
  readonly unit: string;
  readonly first: number;
  readonly names: readonly string[];
}

const columns = [
  ['position', 'gnss', 'mixed', 'lat lon alt'],
  ['attitude', 'attitude', 'rad', 'roll pitch yaw'],
  ['velocity', 'vehicle', 'm/s', 'vn ve vf vl vu'],
  ['acceleration', 'imu', 'm/s^2', 'ax ay az af al au'],
  ['angular_rate', 'imu', 'rad/s', 'wx wy wz wf wl wu'],
  ['accuracy', 'other', 'mixed', 'pos_accuracy vel_accuracy'],
  ['status', 'other', 'none', 'navstat numsats posmode velmode orimode'],
] as const satisfies readonly (readonly [string, StreamRole, string, string])[];

/** The packet of the OXTS RT3003 by the devkit's dataformat.txt. */
const oxtsGroups: readonly OxtsGroup[] = columns.map(([id, role, unit, text], k) => ({
  id,
  role,
  unit,
  first: columns.slice(0, k).reduce((sum, [, , , names]) => sum + names.split(' ').length, 0),
  names: text.split(' '),
}));

/** Numbers of a packet. */
export const oxtsFields = oxtsGroups.flatMap(({ names }) => names);

/** Names in the order dataformat.txt gives them: `lat:   latitude of the oxts-unit (deg)`. */
export function namesOfFormat(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\s*([a-z_]+)\s*:/i.exec(line)?.[1] ?? []);
}
