import type { Calibration, Stream } from '#core/episode';
import { orNull } from '../shared/hdf5-file.ts';
import type { FileArrays } from '../shared/step-arrays/file-arrays.ts';
import { cameraStamps, clocksOf, type Stamps } from './clocks.ts';
import type { EpisodeFolder } from './layout.ts';
import { type Metadata, mounts } from './metadata.ts';

/** A camera that the recording speaks of, or has a video of. */
export interface Camera {
  readonly serial: string;
  /** `wrist`, `ext1`, `ext2`; the serial number where nobody says. */
  readonly name: string;
  /** Path of its video; null: there is none. */
  readonly video: string | null;
}

/** By the metadata; without it as DROID works it out: kind 0 is the wrist, the others follow by serial number. */
export async function camerasOf(
  { videos }: EpisodeFolder,
  metadata: Metadata | null,
  { arrays }: FileArrays,
): Promise<Camera[]> {
  const names = new Map<string, string>();
  for (const [mount, serial] of metadata?.serials ?? []) names.set(serial, mount);
  if (names.size === 0) {
    const others: string[] = ['ext1', 'ext2'];
    for (const [id, dataset] of [...arrays].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const serial = /^observation\/camera_type\/(\d+)$/.exec(id)?.[1];
      if (serial === undefined || !dataset.isNumeric || dataset.rows === 0) continue;
      const [kind] = (await orNull(dataset.readNumbers(0, 1))) ?? [];
      if (kind === undefined) continue;
      names.set(serial, Number(kind) === 0 ? 'wrist' : (others.shift() ?? serial));
    }
  }
  for (const serial of videos.keys()) if (!names.has(serial)) names.set(serial, serial);
  return [...names].map(([serial, name]) => ({ serial, name, video: videos.get(serial) ?? null }));
}

/**
 * DROID takes frame i of a video as the view of step i. The file runs at the rate that the camera was opened with, some
 * 60 Hz, however seldom a frame was grabbed, so its own stamps say nothing.
 */
export function cameraStream(
  { serial, name, video }: Camera,
  folder: string,
  stamps: Stamps,
  steps: number,
): Stream {
  const path = `${folder === '' ? '' : `${folder}/`}recordings/MP4/${serial}.mp4`;
  return {
    ...{ id: `camera/${name}`, role: 'camera', modality: 'video', shape: [], names: null },
    unit: { unit: 'px', evidence: 'known_format', reason: `video of camera ${serial}, left eye` },
    sample_count: steps,
    ...clocksOf(cameraStamps(serial), stamps, steps),
    frames: {
      locator:
        video === null
          ? { type: 'missing', path, reason: 'the recording names this camera and has no video of it' }
          : { type: 'video', path: video, from_s: 0, to_s: null, expected_frames: steps, unstamped: true },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

/** Extrinsics as the metadata has them; how far to trust them is said once for the set. */
export function calibrationsOf(metadata: Metadata | null, path: string | null): Calibration[] {
  if (metadata === null || path === null) return [];
  return mounts.flatMap((mount) => {
    const pose = metadata.extrinsics.get(mount);
    if (pose === undefined) return [];
    const values = { position_m: pose.slice(0, 3), euler_xyz_rad: pose.slice(3) };
    const model = 'pose of the left eye from the robot’s base, known to be wrong in many scenes';
    return [{ target: `camera/${mount}`, model, source: path, values }];
  });
}
