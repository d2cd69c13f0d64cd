import type { FileEntry, SourceTree } from '#io/sources';

/** A picture, named by the number of its step. */
export interface StepPicture {
  readonly path: string;
  readonly step: number;
}

/** One trajectory and what lies in its folder. */
export interface Trajectory {
  /** Relative to the dataset's root; '' where that is the trajectory itself. */
  readonly folder: string;
  /** By folder (`images0`, `depth_images0`), each in the order of steps. */
  readonly cameras: ReadonlyMap<string, readonly StepPicture[]>;
  /** Names of pickles: `obs_dict.pkl`. */
  readonly pickles: readonly string[];
  /** Path of lang.txt; null: there is none. */
  readonly language: string | null;
  readonly bytes: number;
  readonly picture_bytes: number;
}

const inside =
  /(?:^|\/)(?:((?:depth_)?images\d+)\/im_(\d{1,6})\.(?:jpe?g|png)|((?:obs_dict|policy_out|agent_data)\.pkl)|(lang\.txt))$/i;
const ownFolder = /(?:^|\/)traj_group\d+\/traj\d+$|^traj\d+$/;

/** Folder of the trajectory that a file lies in; null: it lies in none. */
export function trajectoryFolderOf(path: string): string | null {
  const found = inside.exec(path);
  if (found === null) return null;
  const folder = path.slice(0, found.index);
  return folder === '' || ownFolder.test(folder) ? folder : null;
}

/** Trajectories below a root, by group and number within their recording. */
export function trajectoriesOf(tree: SourceTree): Trajectory[] {
  const byFolder = Map.groupBy(tree.files, ({ path }) => trajectoryFolderOf(path));
  byFolder.delete(null);
  return [...byFolder]
    .map(([folder, files]) => trajectory(folder ?? '', files))
    .sort((a, b) => byNumbers.compare(a.folder, b.folder));
}

/** traj2 before traj10. */
const byNumbers = new Intl.Collator('en', { numeric: true });

function trajectory(folder: string, files: readonly FileEntry[]): Trajectory {
  const cameras = new Map<string, StepPicture[]>();
  const pickles: string[] = [];
  let language: string | null = null;
  let [bytes, picture_bytes] = [0, 0];
  for (const { path, bytes: size } of files) {
    const [, camera, step, pickle] = inside.exec(path) ?? [];
    if (camera !== undefined) {
      const own = cameras.get(camera);
      if (own === undefined) cameras.set(camera, [{ path, step: Number(step) }]);
      else own.push({ path, step: Number(step) });
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

/** The day a recording was made, `2021-07-23`, by the folder named after its beginning; null where none is. */
export function dayOf({ folder }: Trajectory): string | null {
  return /(?:^|\/)(\d{4}-\d\d-\d\d)_\d\d-\d\d-\d\d(?:\/|$)/.exec(folder)?.[1] ?? null;
}
