import type { Calibration, Clock, ClockChoice, Stream, UnitOfMeasure } from '#core/episode';
import { type Drive, type NumberedFile, numberedFiles } from './layout.ts';
import { oxtsGroups } from './oxts-fields.ts';
import { columnsOf, type OxtsPackets } from './read-oxts.ts';
import type { SensorFrames } from './sensor-frames.ts';
import { secondsOf, type Timestamps } from './timestamps.ts';

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
