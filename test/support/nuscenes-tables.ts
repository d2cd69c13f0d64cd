import { createHash } from 'node:crypto';

type Row = Record<string, unknown>;
export type Tables = Record<string, Row[]>;

/** Returns a token like those of nuScenes: 32 hexadecimal digits, derived from the parts. */
export const token = (...parts: (string | number)[]) =>
  createHash('md5').update(parts.join(' ')).digest('hex');
const start_us = 1_532_402_927_612_460;

const channels = [
  { channel: 'CAM_FRONT', modality: 'camera', rate_hz: 12, extension: 'jpg' },
  { channel: 'LIDAR_TOP', modality: 'lidar', rate_hz: 20, extension: 'pcd.bin' },
  { channel: 'RADAR_FRONT', modality: 'radar', rate_hz: 13, extension: 'pcd' },
] as const;

const mask = 'maps/36092f0b03a857c6a3403e25b4b7aab3.png';

/** Keyframes of a scene. */
export const keyframes = 5;
/** Tables of scenes of two seconds with a camera (`picture`), a laser and a radar, and the files they name. */
export function nuScenesTables(
  scenes: readonly string[],
  picture: Uint8Array,
): { tables: Tables; files: Record<string, Uint8Array> } {
  const files: Record<string, Uint8Array> = { [mask]: picture };
  const tables: Tables = {
    category: [{ token: token('car'), name: 'vehicle.car' }],
    attribute: [{ token: token('parked'), name: 'vehicle.parked' }],
    visibility: [{ token: '4', level: 'v80-100' }],
    instance: [],
    map: [{ token: token('map'), log_tokens: [token('log')], filename: mask }],
    log: [{ token: token('log'), vehicle: 'n015', location: 'singapore-onenorth' }],
    sensor: channels.map(({ channel, modality }) => ({ token: token('sensor', channel), channel, modality })),
    calibrated_sensor: channels.map(({ channel, modality }) => ({
      token: token('mount', channel),
      sensor_token: token('sensor', channel),
      translation: [1.7, 0, 1.5],
      rotation: [0.5, -0.5, 0.5, -0.5],
      camera_intrinsic:
        modality === 'camera'
          ? [
              [1266, 0, 816],
              [0, 1266, 491],
              [0, 0, 1],
            ]
          : [],
    })),
    scene: [],
    sample: [],
    sample_data: [],
    sample_annotation: [],
    ego_pose: [],
  };
  for (const [s, name] of scenes.entries()) {
    const from_us = start_us + s * 60_000_000;
    tables.scene.push({
      token: token('scene', name),
      log_token: token('log'),
      nbr_samples: keyframes,
      name,
      description: 'Parked truck, "construction" {site}',
    });
    for (let k = 0; k < keyframes; k++)
      tables.sample.push({
        token: token(name, k),
        timestamp: from_us + k * 500_000,
        scene_token: token('scene', name),
        prev: k === 0 ? '' : token(name, k - 1),
        next: k === keyframes - 1 ? '' : token(name, k + 1),
      });
    for (const { channel, rate_hz, extension } of channels)
      for (let i = 0; i < 2 * rate_hz; i++) {
        const timestamp = from_us + Math.round((i * 1e6) / rate_hz);
        const filename = `sweeps/${channel}/${name}__${timestamp}.${extension}`;
        const own = token(name, channel, i);
        files[filename] = channel === 'CAM_FRONT' ? picture : new Uint8Array(40);
        tables.sample_data.push({
          token: own,
          sample_token: token(name, Math.min(keyframes - 1, Math.floor((2 * i) / rate_hz))),
          ego_pose_token: own,
          calibrated_sensor_token: token('mount', channel),
          timestamp,
          is_key_frame: i % rate_hz === 0,
          height: channel === 'CAM_FRONT' ? 36 : 0,
          width: channel === 'CAM_FRONT' ? 64 : 0,
          filename,
          prev: '',
          next: '',
        });
        tables.ego_pose.push({
          token: own,
          timestamp,
          rotation: [0.6, 0, 0, 0.8],
          translation: [400 + i, 1100, 0],
        });
      }
    for (let k = 0; k < keyframes; k++)
      for (let box = 0; box < k; box++)
        tables.sample_annotation.push({
          token: token(name, k, box),
          sample_token: token(name, k),
          instance_token: token('instance', name, box),
          attribute_tokens: [token('parked')],
          visibility_token: '4',
          translation: [400, 1110 + box, 0],
          size: [2, 4, 1.5],
          rotation: [1, 0, 0, 0],
          prev: k === box + 1 ? '' : token(name, k - 1, box),
          next: k === keyframes - 1 ? '' : token(name, k + 1, box),
        });
    for (let box = 0; box < keyframes - 1; box++)
      tables.instance.push({ token: token('instance', name, box), category_token: token('car') });
  }
  // The records of a scene are not contiguous, as in the real tables.
  for (const name of ['sample_data', 'ego_pose'])
    tables[name].sort((a, b) => (String(a.token) < String(b.token) ? -1 : 1));
  return { tables, files };
}
