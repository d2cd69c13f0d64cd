import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';

/** Where a camera is mounted, as the metadata names it. */
export const mounts = ['wrist', 'ext1', 'ext2'] as const;
type Mount = (typeof mounts)[number];

/** What metadata_<uuid>.json says; null and empty where it does not. */
export interface Metadata {
  readonly success: boolean | null;
  readonly current_task: string | null;
  readonly trajectory_length: number | null;
  readonly hdf5_path: string | null;
  readonly serials: ReadonlyMap<Mount, string>;
  /** x, y, z in m and Euler angles xyz in rad, of the left eye. */
  readonly extrinsics: ReadonlyMap<Mount, readonly number[]>;
}

const mostBytes = 1024 * 1024;

/** Null, with a finding, where the file cannot be understood. */
export async function readMetadata(
  tree: SourceTree,
  path: string,
  findings: Finding[],
): Promise<Metadata | null> {
  try {
    const said: unknown = JSON.parse(await tree.text(path, mostBytes));
    if (typeof said === 'object' && said !== null) return metadataOf(said as Record<string, unknown>);
  } catch {
    // Told below, whatever it was.
  }
  findings.push({
    ...{ code: 'metadata_unreadable', severity: 'error', path },
    message: `${path} is no JSON object that can be read`,
    advice: 'copy the file again; cameras are then named by what trajectory.h5 says',
  });
  return null;
}

function metadataOf(said: Record<string, unknown>): Metadata {
  const text = (key: string) => (typeof said[key] === 'string' ? (said[key] as string) : null);
  const length = said.trajectory_length;
  return {
    success: typeof said.success === 'boolean' ? said.success : null,
    current_task: text('current_task'),
    trajectory_length: typeof length === 'number' && Number.isSafeInteger(length) ? length : null,
    hdf5_path: text('hdf5_path'),
    serials: byMount((mount) => serialOf(said[`${mount}_cam_serial`])),
    extrinsics: byMount((mount) => pose(said[`${mount}_cam_extrinsics`])),
  };
}

function byMount<T>(of: (mount: Mount) => T | null): ReadonlyMap<Mount, T> {
  return new Map(
    mounts.flatMap((mount) => {
      const value = of(mount);
      return value === null ? [] : [[mount, value] as const];
    }),
  );
}

function serialOf(value: unknown): string | null {
  const serial = typeof value === 'number' ? String(value) : value;
  return typeof serial === 'string' && /^\d+$/.test(serial) ? serial : null;
}

function pose(value: unknown): readonly number[] | null {
  const isPose = Array.isArray(value) && value.length === 6 && value.every((one) => Number.isFinite(one));
  return isPose ? (value as number[]) : null;
}
