import { type LeRobotDraft, listVideoCameras } from '../draft.ts';
import type { DraftEpisode } from '../tables.ts';
import { videoFilesV3 } from '../video-paths.ts';
import { episodeTablePath } from './episode-table.ts';
import { formatList, type LeRobotFix, recordChange, recordUnfixed } from './fix.ts';

/** Fix: sets each episode's video window to where its frames are in the file, counted in frames (v3). */
export const windows: LeRobotFix = {
  id: 'windows',
  title: 'Set the video time range of each episode from its frame counts',
  answers: [
    'video_columns_missing',
    'video_spans_overlap',
    'video_window_foreign',
    'video_window_not_reset',
    'video_windows_not_reset',
    'video_span_mismatch',
    'camera_rows_refused',
    'camera_window_past_file',
    'video_window_drift',
  ],
  run: async (draft) => {
    if (draft.layout === 'v2' || !(Number(draft.info.value.fps) > 0)) return;
    for (const camera of listVideoCameras(draft.info.value)) await fixCamera(draft, camera);
  },
};

type Window = DraftEpisode['videos'] extends Map<string, infer Value> ? Value : never;
type Code = (typeof windows)['answers'][number];

/** Fixes all windows of one camera: by frame counts if they fit, else by snapping to the nearest frame. */
async function fixCamera(draft: LeRobotDraft, camera: string): Promise<void> {
  const rate_hz = Number(draft.info.value.fps);
  const files = [];
  for (const file of videoFilesV3(draft, camera))
    files.push({ ...file, fact: await draft.videos.get(file.path) });
  if (files.length === 0) return;
  const counted = assignByCount(
    draft.episodes,
    files.map(({ fact }) => fact?.frames ?? -1),
  );
  const whole =
    counted !== null && agreesWithWindows(draft, camera, files, counted, rate_hz) ? counted : null;
  const lacking: number[] = [];
  for (const [at, episode] of draft.episodes.entries()) {
    const declared = episode.videos.get(camera);
    const place = whole?.[at];
    if (place !== undefined) {
      const { chunk, file } = files[place.file];
      const from_s = place.before / rate_hz;
      setWindow(draft, episode, camera, {
        chunk,
        file,
        from_s,
        to_s: from_s + (episode.length ?? 0) / rate_hz,
      });
    } else if (declared === undefined) lacking.push(episode.index);
    else snapWindow(draft, episode, camera, declared, rate_hz);
  }
  if (lacking.length > 0)
    recordUnfixed(draft, 'video_columns_missing', {
      path: episodeTablePath(draft),
      message: `the video location of episodes ${formatList(lacking)} for ${camera} is missing and cannot be inferred: the files do not have as many frames as there are rows`,
      advice: 'Add videos/<camera>/chunk_index, file_index, from_timestamp and to_timestamp by hand.',
    });
}

/**
 * Returns file and first frame of each episode, if the files hold exactly the frames of the episodes one after
 * another; null otherwise.
 */
function assignByCount(
  episodes: readonly DraftEpisode[],
  frames: readonly number[],
): { readonly file: number; readonly before: number }[] | null {
  const places: { file: number; before: number }[] = [];
  let [file, before] = [0, 0];
  for (const { length } of episodes) {
    if (length === null) return null;
    if (before === frames[file]) [file, before] = [file + 1, 0];
    if (!(before + length <= (frames[file] ?? -1))) return null;
    places.push({ file, before });
    before += length;
  }
  return file === frames.length - 1 && before === frames[file] ? places : null;
}

interface VideoFile {
  readonly chunk: number;
  readonly file: number;
  readonly fact: { readonly frames: number } | null;
}

/**
 * Returns true if most plausible windows agree with the counted positions; files may hold episodes in another order.
 */
function agreesWithWindows(
  { episodes }: LeRobotDraft,
  camera: string,
  files: readonly VideoFile[],
  places: readonly { readonly file: number; readonly before: number }[],
  rate_hz: number,
): boolean {
  let [right, wrong] = [0, 0];
  for (const [at, { videos }] of episodes.entries()) {
    const window = videos.get(camera);
    const file = files.find((one) => one.chunk === window?.chunk && one.file === window.file);
    if (window === undefined || file === undefined) continue;
    if (window.to_s * rate_hz > (file.fact?.frames ?? 0) + 0.5) continue;
    const same = file === files[places[at].file];
    if (same && Math.abs(window.from_s * rate_hz - places[at].before) < 0.5) right += 1;
    else wrong += 1;
  }
  return right > wrong || wrong === 0;
}

/** Snaps a window to the nearest frame if it is off by at most a quarter of one. */
function snapWindow(
  draft: LeRobotDraft,
  episode: DraftEpisode,
  camera: string,
  window: Window,
  rate_hz: number,
): void {
  const [first, last] = [window.from_s, window.to_s].map((at_s) => Math.round(at_s * rate_hz));
  if (Math.abs(window.from_s * rate_hz - first) > 0.25) return;
  setWindow(draft, episode, camera, { ...window, from_s: first / rate_hz, to_s: last / rate_hz });
}

/** Tolerance of a window in seconds: a tenth of the library's 1e-4 s. */
const windowTolerance_s = 1e-5;

/**
 * Sets the file and time range of an episode's video and marks their columns as edited; records the change unless the
 * row is new; ignores differences of up to 1e-5 s in the same file.
 */
export function setWindow(draft: LeRobotDraft, episode: DraftEpisode, camera: string, now: Window): void {
  const before = episode.videos.get(camera);
  const same =
    before !== undefined &&
    before.chunk === now.chunk &&
    before.file === now.file &&
    Math.abs(before.from_s - now.from_s) <= windowTolerance_s &&
    Math.abs(before.to_s - now.to_s) <= windowTolerance_s;
  if (same) return;
  episode.videos.set(camera, now);
  draft.editedEpisodes.add(episode.index);
  for (const name of ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'])
    draft.editedEpisodeColumns.add(`videos/${camera}/${name}`);
  if (episode.tableFile === null) return;
  recordChange(draft, windows, changeCodes(before, now, Number(draft.info.value.fps)), {
    path: episode.tableFile,
    episode: episode.index,
    what: `video time range of ${camera}`,
    before: before === undefined ? 'absent' : describeWindow(before),
    after: describeWindow(now),
  });
}

/** Formats a window for the change list. */
function describeWindow({ chunk, file, from_s, to_s }: Window): string {
  return `file ${chunk}/${file}, ${Number(from_s.toFixed(6))} to ${Number(to_s.toFixed(6))} s`;
}

/** Returns the rule codes that a window change resolves. */
function changeCodes(before: Window | undefined, now: Window, rate_hz: number): Code[] {
  if (before === undefined) return ['video_columns_missing'];
  const off = Math.abs(before.from_s - now.from_s) * rate_hz;
  if (before.chunk === now.chunk && before.file === now.file && off < 1)
    return ['camera_rows_refused', 'video_window_drift', 'video_span_mismatch'];
  return [
    'video_spans_overlap',
    'video_window_foreign',
    'video_windows_not_reset',
    'video_window_not_reset',
    'camera_window_past_file',
  ];
}
