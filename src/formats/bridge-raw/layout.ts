import type { FileEntry, SourceTree } from '#io/sources';

/** An image and its step number, taken from the file name. */
export interface StepPicture {
  readonly path: string;
  readonly step: number;
}

/** One trajectory and its files. */
export interface Trajectory {
  /** Path relative to the dataset's root; '' if the root is the trajectory itself. */
  readonly folder: string;
  /** Images by camera folder (`images0`, `depth_images0`), sorted by step; never empty. */
  readonly cameras: ReadonlyMap<string, readonly StepPicture[]>;
  /** File names of pickles: `obs_dict.pkl`. */
  readonly pickles: readonly string[];
  /** Path of lang.txt; `null` if there is none. */
  readonly language: string | null;
  readonly bytes: number;
  readonly picture_bytes: number;
}

const trajectoryFile =
  /(?:^|\/)(?:((?:depth_)?images\d+)\/im_(\d{1,6})\.(?:jpe?g|png)|((?:obs_dict|policy_out|agent_data)\.pkl)|(lang\.txt))$/i;
const trajectoryFolder = /(?:^|\/)traj_group\d+\/traj\d+$|^traj\d+$/;

/** Returns the folder of the trajectory that a file belongs to ('' for the root), or `null` if it belongs to none. */
export function trajectoryFolderOf(path: string): string | null {
  const found = trajectoryFile.exec(path);
  if (found === null) return null;
  const folder = path.slice(0, found.index);
  return folder === '' || trajectoryFolder.test(folder) ? folder : null;
}

/**
 * Finds the raw Bridge trajectories (folders `traj…` in `traj_group…`) of a tree by their images, pickles and lang.txt; sorts them
 * by folder, with numbers in numeric order.
 */
export function findTrajectories(tree: SourceTree): Trajectory[] {
  const byFolder = Map.groupBy(tree.files, ({ path }) => trajectoryFolderOf(path));
  byFolder.delete(null);
  return [...byFolder]
    .map(([folder, files]) => buildTrajectory(folder ?? '', files))
    .sort((a, b) => byNumbers.compare(a.folder, b.folder));
}

/** Sorts traj2 before traj10. */
const byNumbers = new Intl.Collator('en', { numeric: true });

function buildTrajectory(folder: string, files: readonly FileEntry[]): Trajectory {
  const cameras = new Map<string, StepPicture[]>();
  const pickles: string[] = [];
  let language: string | null = null;
  let [bytes, picture_bytes] = [0, 0];
  for (const { path, bytes: size } of files) {
    const [, camera, step, pickle] = trajectoryFile.exec(path) ?? [];
    if (camera !== undefined) {
      const cameraPictures = cameras.get(camera);
      if (cameraPictures === undefined) cameras.set(camera, [{ path, step: Number(step) }]);
      else cameraPictures.push({ path, step: Number(step) });
      picture_bytes += size;
    } else if (pickle !== undefined) {
      pickles.push(pickle);
      continue;
    } else language = path;
    bytes += size;
  }
  for (const pictures of cameras.values()) pictures.sort((a, b) => a.step - b.step);
  const sorted = new Map([...cameras].sort(([a], [b]) => byNumbers.compare(a, b)));
  return { folder, cameras: sorted, pickles: pickles.sort(), language, bytes, picture_bytes };
}

/**
 * Returns the recording date (`2021-07-23`) from a folder of the path named by date and time; `null` if there is none.
 */
export function recordingDay({ folder }: Trajectory): string | null {
  return /(?:^|\/)(\d{4}-\d\d-\d\d)_\d\d-\d\d-\d\d(?:\/|$)/.exec(folder)?.[1] ?? null;
}
