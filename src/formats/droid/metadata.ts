import type { Calibration, Finding, Stream } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { FileArrays } from '../shared/arrays/step-arrays.ts';
import { nullIfUnreadable } from '../shared/hdf5-file.ts';
import { cameraStamps, chooseClocks, type Stamps } from './clocks.ts';
import type { EpisodeFolder } from './layout.ts';

/** Camera mounts, as named in the metadata. */
export const mounts = ['wrist', 'ext1', 'ext2'] as const;
type Mount = (typeof mounts)[number];

/** Contents of metadata_<uuid>.json; `null` and empty for absent or invalid values. */
export interface Metadata {
  readonly success: boolean | null;
  readonly current_task: string | null;
  readonly trajectory_length: number | null;
  readonly hdf5_path: string | null;
  readonly serials: ReadonlyMap<Mount, string>;
  /** Pose of the left eye: x, y, z in m and Euler angles xyz in rad. */
  readonly extrinsics: ReadonlyMap<Mount, readonly number[]>;
}

const maxMetadataBytes = 1024 * 1024;

/** Reads a metadata file; returns `null` and adds a finding to `findings` if it is no JSON object. */
export async function readMetadata(
  tree: SourceTree,
  path: string,
  findings: Finding[],
): Promise<Metadata | null> {
  try {
    const json: unknown = JSON.parse(await tree.text(path, maxMetadataBytes));
    if (typeof json === 'object' && json !== null) return parseMetadata(json as Record<string, unknown>);
  } catch {
    // Reported below.
  }
  findings.push({
    ...{ code: 'metadata_unreadable', severity: 'error', path },
    message: `${path} is not a valid JSON object`,
    advice: 'copy the file again; until then, cameras are named as in trajectory.h5',
  });
  return null;
}

function parseMetadata(json: Record<string, unknown>): Metadata {
  const text = (key: string) => (typeof json[key] === 'string' ? (json[key] as string) : null);
  const length = json.trajectory_length;
  return {
    success: typeof json.success === 'boolean' ? json.success : null,
    current_task: text('current_task'),
    trajectory_length: typeof length === 'number' && Number.isSafeInteger(length) ? length : null,
    hdf5_path: text('hdf5_path'),
    serials: mapMounts((mount) => parseSerial(json[`${mount}_cam_serial`])),
    extrinsics: mapMounts((mount) => parsePose(json[`${mount}_cam_extrinsics`])),
  };
}

function mapMounts<T>(read: (mount: Mount) => T | null): ReadonlyMap<Mount, T> {
  return new Map(
    mounts.flatMap((mount) => {
      const value = read(mount);
      return value === null ? [] : [[mount, value] as const];
    }),
  );
}

function parseSerial(value: unknown): string | null {
  const serial = typeof value === 'number' ? String(value) : value;
  return typeof serial === 'string' && /^\d+$/.test(serial) ? serial : null;
}

function parsePose(value: unknown): readonly number[] | null {
  const isPose =
    Array.isArray(value) && value.length === 6 && value.every((number) => Number.isFinite(number));
  return isPose ? (value as number[]) : null;
}

/** A camera that the metadata or trajectory.h5 names, or that has a video. */
export interface Camera {
  readonly serial: string;
  /** Mount (`wrist`, `ext1`, `ext2`), or the serial number if the mount is unknown. */
  readonly name: string;
  /** Path of its video; `null` if there is none. */
  readonly video: string | null;
}

/**
 * Returns the cameras that the metadata names or that have a video, with their mount as name, or the serial number if
 * it is unknown. Without metadata, mounts are derived as in DROID's code: camera type 0 is the wrist, the others are
 * ext1 and ext2 by serial number.
 */
export async function findCameras(
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
      const [kind] = (await nullIfUnreadable(dataset.readNumbers(0, 1))) ?? [];
      if (kind === undefined) continue;
      names.set(serial, Number(kind) === 0 ? 'wrist' : (others.shift() ?? serial));
    }
  }
  for (const serial of videos.keys()) if (!names.has(serial)) names.set(serial, serial);
  return [...names].map(([serial, name]) => ({ serial, name, video: videos.get(serial) ?? null }));
}

/**
 * Returns the video stream of a camera with one frame per step; its locator is `missing` if the camera has no video.
 * DROID takes frame i of the video as the view of step i. The file's own stamps run at the rate that the camera was
 * opened with (about 60 Hz), not at that of the grabbed frames, so they are ignored.
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
    ...chooseClocks(cameraStamps(serial), stamps, steps),
    frames: {
      locator:
        video === null
          ? { type: 'missing', path, reason: 'the recording lists this camera but has no video of it' }
          : { type: 'video', path: video, from_s: 0, to_s: null, expected_frames: steps, unstamped: true },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

/**
 * Returns the camera poses of the metadata unchanged; empty without metadata. A dataset-level finding warns that they
 * are unreliable.
 */
export function extrinsicCalibrations(metadata: Metadata | null, path: string | null): Calibration[] {
  if (metadata === null || path === null) return [];
  return mounts.flatMap((mount) => {
    const pose = metadata.extrinsics.get(mount);
    if (pose === undefined) return [];
    const values = { position_m: pose.slice(0, 3), euler_xyz_rad: pose.slice(3) };
    const model = 'pose of the left eye in the robot base frame, known to be wrong in many scenes';
    return [{ target: `camera/${mount}`, model, source: path, values }];
  });
}
