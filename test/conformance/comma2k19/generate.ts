/** Writes the inputs of the cases beside it: `node test/conformance/comma2k19/generate.ts`. */
import { join } from 'node:path';
import { tinyVideo, writeCase } from '../../support/case-files.ts';
import { npyBytes } from '../../support/npy-file.ts';

const column = (count: number, value: (i: number) => number | readonly number[]): Uint8Array => {
  const rows = Array.from({ length: count }, (_, i) => value(i));
  const dims = typeof rows[0] === 'number' ? null : (rows[0]?.length ?? 0);
  return npyBytes(dims === null ? [count] : [count, dims], Float64Array.from(rows.flat()));
};

/** A second of driving, beginning some seconds after the device started. */
function segment(start_s: number): Record<string, Uint8Array> {
  const log = 'processed_log';
  return {
    'global_pose/frame_times': column(20, (i) => start_s + i / 20),
    'global_pose/frame_gps_times': column(20, (i) => [2012, 404_106.397 + i / 20]),
    'global_pose/frame_positions': column(20, (i) => [-2_712_087 + i, -4_261_670, 3_881_014]),
    'global_pose/frame_orientations': column(20, () => [0.5, -0.5, 0.5, -0.5]),
    'global_pose/frame_velocities': column(20, (i) => [2 + i / 10, 4, 6]),
    [`${log}/CAN/speed/t`]: column(50, (i) => start_s + 0.01 + i / 50),
    [`${log}/CAN/speed/value`]: column(50, (i) => [8 + i / 10]),
    [`${log}/CAN/raw_can/t`]: column(4, (i) => start_s + i / 5),
    [`${log}/CAN/raw_can/data`]: npyBytes([4], new Uint8Array(32).fill(7), { descr: '|S8' }),
    [`${log}/IMU/magnetometer/t`]: column(10, (i) => start_s + 0.02 + i / 10),
    [`${log}/IMU/magnetometer/value`]: column(10, (i) => [22 + i / 10, -26, -25]),
    [`${log}/GNSS/live_gnss_ublox/t`]: column(2, (i) => start_s + 0.1 + i / 2),
    [`${log}/GNSS/live_gnss_ublox/value`]: column(2, (i) => [
      37.7,
      -122.5,
      8,
      1.533226488497e12 + 500 * i,
      33,
      2,
    ]),
  };
}

const below = (folder: string, files: Readonly<Record<string, Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${folder}/${path}`, bytes]));

// The route as it is written where | is not allowed.
const route = 'Chunk_1/b0c9d2329ad1606b_2018-08-02--08-34-47';
const pickle = npyBytes([1], new Uint8Array(8), { descr: '|O' });
const place = join(import.meta.dirname, 'route', 'input');
await writeCase(place, {
  ...below(`${route}/9`, segment(100)),
  ...below(`${route}/10`, { ...segment(160), 'processed_log/CAN/speed/value': pickle }),
});
await tinyVideo(join(place, route, '9', 'video.hevc'), 20, 'hevc');
