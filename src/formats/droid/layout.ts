import type { FileEntry, SourceTree } from '#io/sources';

/** One recording and what lies in its folder. */
export interface EpisodeFolder {
  /** Relative to the dataset's root; '' where that is the episode itself. */
  readonly folder: string;
  /** Paths from the dataset's root. */
  readonly metadata: string | null;
  readonly trajectory: string | null;
  /** Of MP4 files, by the serial number of the camera. */
  readonly videos: ReadonlyMap<string, string>;
  /** SVO files, stereo videos and whatever else is not read. */
  readonly unread: readonly string[];
  readonly bytes: number;
  readonly video_bytes: number;
}

/** What an episode's folder holds; the folder's own path is what stands before. */
const inside = /(?:^|\/)(metadata_[^/]+\.json|trajectory\.h5|recordings\/(?:MP4|SVO)\/[^/]+)$/;
/** `Fri_Jul__7_09:42:23_2023`, the time as C writes it. */
const moment = /^[A-Z][a-z]{2}_[A-Z][a-z]{2}_+\d{1,2}_\d\d[:_]\d\d[:_]\d\d_\d{4}$/;
const day = /^\d{4}-\d\d-\d\d$/;

/**
 * Folder of the episode that a file lies in, when the root is an episode, a day, `success`, a lab or a folder of labs;
 * null: it lies in none.
 */
export function episodeFolderOf(path: string): string | null {
  const found = inside.exec(path);
  if (found === null) return null;
  const folder = path.slice(0, found.index);
  if (folder === '') return folder;
  const [own, date, outcome, , ...more] = folder.split('/').reverse();
  const fits =
    moment.test(own) &&
    (date === undefined || day.test(date)) &&
    (outcome === undefined || /^(success|failure)$/.test(outcome)) &&
    more.length === 0;
  return fits ? folder : null;
}

/** Episodes below a root, in the order of their paths. */
export function episodeFolders(tree: SourceTree): EpisodeFolder[] {
  const byFolder = Map.groupBy(tree.files, ({ path }) => episodeFolderOf(path));
  byFolder.delete(null);
  return [...byFolder]
    .map(([folder, files]) => episodeFolder(folder ?? '', files))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function episodeFolder(folder: string, files: readonly FileEntry[]): EpisodeFolder {
  let metadata: string | null = null;
  let trajectory: string | null = null;
  const videos = new Map<string, string>();
  const unread: string[] = [];
  let [bytes, video_bytes] = [0, 0];
  for (const { path, bytes: size } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const serial = /\/MP4\/(\d+)\.mp4$/.exec(`/${path}`)?.[1];
    if (serial !== undefined) {
      videos.set(serial, path);
      video_bytes += size;
    } else if (name === 'trajectory.h5') trajectory = path;
    else if (/^metadata_.*\.json$/.test(name) && metadata === null) metadata = path;
    else {
      unread.push(path);
      continue;
    }
    bytes += size;
  }
  return { folder, metadata, trajectory, videos, unread, bytes, video_bytes };
}
