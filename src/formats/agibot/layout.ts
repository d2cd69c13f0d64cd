import type { SourceTree } from '#io/sources';

/** A depth picture, named by the number of its frame. */
export interface DepthPicture {
  readonly path: string;
  readonly frame: number;
}

/** One episode of one task, and its files in the four folders. */
export interface AgibotEpisode {
  readonly task: string;
  readonly episode: string;
  /** proprio_stats.h5; null: it is not there. */
  readonly proprio: string | null;
  /** By camera: `head`, `hand_left`. */
  readonly videos: ReadonlyMap<string, string>;
  /** By sensor. */
  readonly tactile: ReadonlyMap<string, string>;
  /** By camera, in the order of frames. */
  readonly depth: ReadonlyMap<string, readonly DepthPicture[]>;
  /** JSON files of intrinsics and extrinsics. */
  readonly parameters: readonly string[];
  readonly bytes: number;
  readonly look_bytes: number;
}

const ofEpisode = /^(observations|parameters|proprio_stats)\/(\d+)\/(\d+)\/(.+)$/;

/** Episodes by the numbers of task and episode. */
export function agibotEpisodes(tree: SourceTree): AgibotEpisode[] {
  const found = new Map<string, Draft>();
  for (const { path, bytes } of tree.files) {
    const [, part, task, episode, rest] = ofEpisode.exec(path) ?? [];
    if (part === undefined || task === undefined || episode === undefined || rest === undefined) continue;
    const key = `${task}/${episode}`;
    let draft = found.get(key);
    if (draft === undefined) {
      draft = newDraft(task, episode);
      found.set(key, draft);
    }
    add(draft, part, rest, path, bytes);
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

function add(draft: Draft, part: string, rest: string, path: string, bytes: number): void {
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
    const own = draft.depth.get(depth[1] ?? '');
    if (own === undefined) draft.depth.set(depth[1] ?? '', [picture]);
    else own.push(picture);
  } else return;
  draft.bytes += bytes;
}
