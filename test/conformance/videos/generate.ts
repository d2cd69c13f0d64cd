/**
 * Writes the inputs of the cases for GoPro videos by GoPro's description of GPMF: `gopro-stamped` as a MAX or HERO11 does
 * it (STMP, axes, GPS5 and GPS9, quaternions), `gopro-unstamped` as a HERO5 does (no STMP, no axes), with a damaged payload.
 * `node test/conformance/videos/generate.ts`
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { complex, nested, numbers, text, writeGoproVideo } from '../../support/gopro-video.ts';

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Payload `second` of a camera that stamps: 200 Hz IMU, 10 Hz positions, the fix from the second payload on. */
function stamped(second: number): Buffer {
  const stamp = (late_us: number, total: number) => [
    numbers('STMP', 'J', 1, [50_000_000 + second * 1_000_000 + late_us]),
    numbers('TSMP', 'L', 1, [total * (second + 1)]),
  ];
  const turned = [text('ORIN', 'XzY', 3), text('ORIO', 'ZXY')];
  const matrix = numbers('MTRX', 'f', 9, [0, -1, 0, 1, 0, 0, 0, 0, 1]);
  const imu = range(200).flatMap((i) => [i, -4180, second]);
  const position = (i: number) => [331_267_000 + second * 10 + i, -1_173_273_000, -23_000 + i, 1200, 121];
  const day = 8766;
  const gps = [numbers('GPSF', 'L', 1, [second === 0 ? 0 : 3]), text('GPSU', `24010112000${second}.500`, 16)];
  const scales = [10_000_000, 10_000_000, 1000, 1000, 100];
  return nested(
    'DEVC',
    numbers('DVID', 'L', 1, [1]),
    text('DVNM', 'HERO11 Black', 12),
    nested(
      'STRM',
      ...stamp(-2000, 200),
      ...turned,
      matrix,
      text('SIUN', 'm/s²', 4),
      numbers('SCAL', 's', 1, [418]),
      numbers('ACCL', 's', 3, imu),
    ),
    nested('STRM', ...stamp(-2000, 200), ...turned, text('SIUN', 'rad/s', 5), numbers('SCAL', 's', 1, [939]), numbers('GYRO', 's', 3, imu)),
    nested('STRM', ...stamp(0, 30), text('SIUN', 's'), numbers('SHUT', 'f', 1, range(30).map(() => 0.0078125))),
    nested('STRM', ...stamp(0, 30), numbers('SCAL', 's', 1, [32_767]), numbers('CORI', 's', 4, range(30).flatMap((i) => [32_767, i, 0, 0]))),
    nested('STRM', ...stamp(0, 30), numbers('SCAL', 's', 1, [32_767]), numbers('GRAV', 's', 3, range(30).flatMap(() => [0, 32_767, 0]))),
    nested('STRM', ...stamp(0, 24), text('SIUN', 'µT', 2), numbers('SCAL', 's', 1, [1]), numbers('MAGN', 's', 3, range(24).flatMap((i) => [i, 20, -40]))),
    nested(
      'STRM',
      ...stamp(16_000, 10),
      ...gps,
      numbers('GPSP', 'S', 1, [154]),
      text('UNIT', 'degdegm\0\0m/sm/s', 3),
      numbers('SCAL', 'l', 1, scales),
      numbers('GPS5', 'l', 5, range(10).flatMap(position)),
    ),
    nested(
      'STRM',
      ...stamp(16_000, 10),
      text('TYPE', 'lllllllSS'),
      text('UNIT', 'degdegm\0\0m/sm/s\0\0\0s\0\0\0\0\0\0\0\0', 3),
      numbers('SCAL', 'l', 1, [...scales, 1, 1000, 100, 1]),
      complex('GPS9', 'lllllllSS', range(10).map((i) => [...position(i), day, 43_200_500 + second * 1000 + i * 100, 154, second === 0 ? 0 : 3])),
    ),
  );
}

/** Payload `second` of a camera without stamps: counts of 199 and 201 samples, as a camera's buffers give. */
function unstamped(second: number): Buffer {
  const rows = second % 2 === 0 ? 199 : 201;
  return nested(
    'DEVC',
    numbers('DVID', 'L', 1, [1]),
    text('DVNM', 'Camera'),
    nested(
      'STRM',
      text('STNM', 'Accelerometer (up/down, right/left, forward/back)'),
      text('SIUN', 'm/s²', 4),
      numbers('SCAL', 's', 1, [418]),
      numbers('ACCL', 's', 3, range(rows).flatMap((i) => [4100, i, -i])),
    ),
    nested('STRM', text('STNM', 'Face boxes'), numbers('FACE', 'f', 5, [])),
  );
}

const folder = (name: string) => {
  const input = join(import.meta.dirname, name, 'input');
  mkdirSync(input, { recursive: true });
  return input;
};
await writeGoproVideo(join(folder('gopro-stamped'), 'GX010001.MP4'), 90, range(3).map(stamped));
const damaged = unstamped(1);
damaged.writeUInt16BE(60_000, 14);
await writeGoproVideo(join(folder('gopro-unstamped'), 'GOPR0001.MP4'), 90, [unstamped(0), damaged, unstamped(2)]);
