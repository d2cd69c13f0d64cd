import type { SourceTree } from '#io/sources';

/** A depth image and its frame number, taken from the file name. */
export interface DepthPicture {
  readonly path: string;
  readonly frame: number;
}

/** One episode of one task, with its files in the four folders. */
export interface AgibotEpisode {
  readonly task: string;
  readonly episode: string;
  /** Path of proprio_stats.h5; `null` if it is absent. */
  readonly proprio: string | null;
  /** Video path by camera name: `head`, `hand_left`. */
  readonly videos: ReadonlyMap<string, string>;
  /** Video path by tactile sensor name. */
  readonly tactile: ReadonlyMap<string, string>;
  /** Depth images by camera name, sorted by frame. */
  readonly depth: ReadonlyMap<string, readonly DepthPicture[]>;
  /** Paths of intrinsics and extrinsics JSON files. */
  readonly parameters: readonly string[];
  readonly bytes: number;
  readonly look_bytes: number;
}

const episodeFile = /^(observations|parameters|proprio_stats)\/(\d+)\/(\d+)\/(.+)$/;

/** Finds all episodes by their file paths, sorted by task number, then episode number; other files are ignored. */
export function findEpisodes(tree: SourceTree): AgibotEpisode[] {
  const found = new Map<string, Draft>();
  for (const { path, bytes } of tree.files) {
    const [, part, task, episode, rest] = episodeFile.exec(path) ?? [];
    if (part === undefined || task === undefined || episode === undefined || rest === undefined) continue;
    const key = `${task}/${episode}`;
    let draft = found.get(key);
    if (draft === undefined) {
      draft = newDraft(task, episode);
      found.set(key, draft);
    }
    addFile(draft, part, rest, path, bytes);
  }
  for (const { depth } of found.values())
    for (const pictures of depth.values()) pictures.sort((a, b) => a.frame - b.frame);
  return [...found.values()].sort(
    (a, b) => Number(a.task) - Number(b.task) || Number(a.episode) - Number(b.episode),
  );
}

interface Draft extends AgibotEpisode {
  proprio: string | null;
  readonly videos: Map<string, string>;
  readonly tactile: Map<string, string>;
  readonly depth: Map<string, DepthPicture[]>;
  readonly parameters: string[];
  bytes: number;
  look_bytes: number;
}

function newDraft(task: string, episode: string): Draft {
  return {
    ...{ task, episode, proprio: null, videos: new Map(), tactile: new Map(), depth: new Map() },
    ...{ parameters: [], bytes: 0, look_bytes: 0 },
  };
}

function addFile(draft: Draft, part: string, rest: string, path: string, bytes: number): void {
  const video = /^(videos|tactile)\/([^/]+?)(?:_color)?\.mp4$/.exec(rest);
  const depth = /^depth\/([^/]+?)_depth_(\d{1,7})\.png$/.exec(rest);
  if (part === 'proprio_stats' && /^[^/]+\.h5$/.test(rest)) {
    draft.proprio ??= path;
    draft.look_bytes += bytes;
  } else if (part === 'parameters' && /(?:in|ex)trinsic[^/]*\.json$/.test(rest)) {
    draft.parameters.push(path);
    draft.look_bytes += bytes;
  } else if (part === 'observations' && video !== null) {
    (video[1] === 'videos' ? draft.videos : draft.tactile).set(video[2] ?? '', path);
  } else if (part === 'observations' && depth !== null) {
    const picture = { path, frame: Number(depth[2]) };
    const cameraPictures = draft.depth.get(depth[1] ?? '');
    if (cameraPictures === undefined) draft.depth.set(depth[1] ?? '', [picture]);
    else cameraPictures.push(picture);
  } else return;
  draft.bytes += bytes;
}
