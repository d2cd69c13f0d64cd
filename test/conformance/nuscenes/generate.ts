/** Writes the inputs of the cases beside it: `node test/conformance/nuscenes/generate.ts`. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type CaseFiles, tinyPng, writeCase } from '../../support/case-files.ts';

const token = (...parts: (string | number)[]): string =>
  createHash('md5').update(parts.join(' ')).digest('hex');
const start_us = 1_532_402_927_612_460;
const channels = [
  { channel: 'CAM_FRONT', modality: 'camera', step_us: 83_333, extension: 'png' },
  { channel: 'LIDAR_TOP', modality: 'lidar', step_us: 50_000, extension: 'pcd.bin' },
] as const;
const measured = 4;

const data = channels.flatMap(({ channel, step_us, extension }) =>
  Array.from({ length: measured }, (_, i) => {
    const timestamp = start_us + i * step_us;
    const own = token(channel, i);
    return {
      ...{ token: own, ego_pose_token: own, timestamp, is_key_frame: i === 0 },
      sample_token: token('sample'),
      calibrated_sensor_token: token('mount', channel),
      filename: `${i === 0 ? 'samples' : 'sweeps'}/${channel}/n015__${channel}__${timestamp}.${extension}`,
      ...(extension === 'png' ? { width: 1, height: 1 } : { width: 0, height: 0 }),
    };
  }),
);
const tables: CaseFiles = {
  scene: [
    {
      token: token('scene'),
      log_token: token('log'),
      name: 'scene-0061',
      nbr_samples: 1,
      description: 'Parked truck',
    },
  ],
  sample: [{ token: token('sample'), scene_token: token('scene'), timestamp: start_us }],
  sample_data: data,
  ego_pose: data.map((row, i) => ({
    ...{ token: row.token, timestamp: row.timestamp },
    ...{ translation: [400 + i, 1100, 0], rotation: [0.6, 0, 0, 0.8] },
  })),
  sensor: channels.map(({ channel, modality }) => ({ token: token('sensor', channel), channel, modality })),
  calibrated_sensor: channels.map(({ channel, modality }) => ({
    token: token('mount', channel),
    sensor_token: token('sensor', channel),
    ...{ translation: [1.7, 0, 1.5], rotation: [0.5, -0.5, 0.5, -0.5] },
    camera_intrinsic:
      modality === 'camera'
        ? [
            [1266, 0, 816],
            [0, 1266, 491],
            [0, 0, 1],
          ]
        : [],
  })),
  log: [{ token: token('log'), vehicle: 'n015' }],
  sample_annotation: [{ token: token('box'), sample_token: token('sample') }],
};
const named = Object.entries(tables).map(([name, rows]) => [`v1.0-mini/${name}.json`, rows]);
// The last sweep of each sensor is not there.
const files = data
  .filter((_, i) => i % measured !== measured - 1)
  .map(({ filename }) => [filename, filename.endsWith('png') ? tinyPng : new Uint8Array(40)]);
await writeCase(join(import.meta.dirname, 'sweeps-lost', 'input'), Object.fromEntries([...named, ...files]));
