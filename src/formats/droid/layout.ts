import type { FileEntry, SourceTree } from '#io/sources';

/** One episode folder and its files. */
export interface EpisodeFolder {
  /** Path relative to the dataset's root; '' if the root is the episode itself. */
  readonly folder: string;
  /** Path relative to the dataset's root; `null` if absent. */
  readonly metadata: string | null;
  readonly trajectory: string | null;
  /** Paths of MP4 files by camera serial number. */
  readonly videos: ReadonlyMap<string, string>;
  /** SVO files, stereo videos and other files that are not read. */
  readonly unread: readonly string[];
  readonly bytes: number;
  readonly video_bytes: number;
}

/** Path of a file inside an episode folder; the part before the match is the folder's path. */
const episodeFile = /(?:^|\/)(metadata_[^/]+\.json|trajectory\.h5|recordings\/(?:MP4|SVO)\/[^/]+)$/;
/** Folder name of an episode: its start as C's `ctime` writes it, `Fri_Jul__7_09:42:23_2023`. */
const startTimeName = /^[A-Z][a-z]{2}_[A-Z][a-z]{2}_+\d{1,2}_\d\d[:_]\d\d[:_]\d\d_\d{4}$/;
const dayName = /^\d{4}-\d\d-\d\d$/;

/**
 * Returns the folder of the episode that a file belongs to ('' for the root), or `null` if it belongs to none. The root
 * may be an episode, a day, `success` or `failure`, a lab or a folder of labs.
 */
export function episodeFolderOf(path: string): string | null {
  const found = episodeFile.exec(path);
  if (found === null) return null;
  const folder = path.slice(0, found.index);
  if (folder === '') return folder;
  const [episodeName, date, outcome, , ...more] = folder.split('/').reverse();
  const fits =
    startTimeName.test(episodeName) &&
    (date === undefined || dayName.test(date)) &&
    (outcome === undefined || /^(success|failure)$/.test(outcome)) &&
    more.length === 0;
  return fits ? folder : null;
}

/** Finds all episode folders of a tree, sorted by path. */
export function findEpisodeFolders(tree: SourceTree): EpisodeFolder[] {
  const byFolder = Map.groupBy(tree.files, ({ path }) => episodeFolderOf(path));
  byFolder.delete(null);
  return [...byFolder]
    .map(([folder, files]) => buildEpisodeFolder(folder ?? '', files))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function buildEpisodeFolder(folder: string, files: readonly FileEntry[]): EpisodeFolder {
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
