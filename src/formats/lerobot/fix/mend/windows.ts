import { camerasOf, type LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { videoFilesV3 } from '../draft/video-paths.ts';
import { tablePath } from './list-episodes.ts';
import { changed, few, type Mend, unfixed } from './mend.ts';

/** v3: the window of each episode is where its frames lie in the video file, counted in frames. */
export const windows: Mend = {
  id: 'windows',
  title: 'Video windows are where the frames of each episode lie, counted in frames',
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
    for (const camera of camerasOf(draft.info.value)) await mendCamera(draft, camera);
  },
};

type Window = DraftEpisode['videos'] extends Map<string, infer Value> ? Value : never;
type Code = (typeof windows)['answers'][number];

async function mendCamera(draft: LeRobotDraft, camera: string): Promise<void> {
  const rate_hz = Number(draft.info.value.fps);
  const files = [];
  for (const file of videoFilesV3(draft, camera))
    files.push({ ...file, fact: await draft.videos.of(file.path) });
  if (files.length === 0) return;
  const counted = partition(
    draft.episodes,
    files.map(({ fact }) => fact?.frames ?? -1),
  );
  const whole = counted !== null && agree(draft, camera, files, counted, rate_hz) ? counted : null;
  const lacking: number[] = [];
  for (const [at, episode] of draft.episodes.entries()) {
    const declared = episode.videos.get(camera);
    const place = whole?.[at];
    if (place !== undefined) {
      const { chunk, file } = files[place.file];
      const from_s = place.before / rate_hz;
      putWindow(draft, episode, camera, {
        chunk,
        file,
        from_s,
        to_s: from_s + (episode.length ?? 0) / rate_hz,
      });
    } else if (declared === undefined) lacking.push(episode.index);
    else snap(draft, episode, camera, declared, rate_hz);
  }
  if (lacking.length > 0)
    unfixed(draft, 'video_columns_missing', {
      path: tablePath(draft),
      message: `nothing says where in the videos of ${camera} episodes ${few(lacking)} lie, and the frames of the files are not as many as the rows`,
      advice: 'Write videos/<camera>/chunk_index, file_index, from_timestamp and to_timestamp by hand.',
    });
}

/** Where each episode begins, where files hold exactly the frames of the episodes one after the other; null where they do not. */
function partition(
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

/** Most windows that can be right lie where frames are counted to: files may hold episodes in another order. */
function agree(
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

/** Where counts do not fit, a window that lies a little beside the frames is put onto them. */
function snap(
  draft: LeRobotDraft,
  episode: DraftEpisode,
  camera: string,
  window: Window,
  rate_hz: number,
): void {
  const [first, last] = [window.from_s, window.to_s].map((at_s) => Math.round(at_s * rate_hz));
  if (Math.abs(window.from_s * rate_hz - first) > 0.25) return;
  putWindow(draft, episode, camera, { ...window, from_s: first / rate_hz, to_s: last / rate_hz });
}

/** The library allows 1e-4 s between a stamp and its frame; a window takes a tenth of that at most. */
const slack_s = 1e-5;

/** The window of an episode, where it is another than before. */
export function putWindow(draft: LeRobotDraft, episode: DraftEpisode, camera: string, now: Window): void {
  const before = episode.videos.get(camera);
  const same =
    before !== undefined &&
    before.chunk === now.chunk &&
    before.file === now.file &&
    Math.abs(before.from_s - now.from_s) <= slack_s &&
    Math.abs(before.to_s - now.to_s) <= slack_s;
  if (same) return;
  episode.videos.set(camera, now);
  draft.episodesEdited.add(episode.index);
  for (const name of ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'])
    draft.episodeEdits.add(`videos/${camera}/${name}`);
  if (episode.home === null) return;
  changed(draft, windows, codesOf(before, now, Number(draft.info.value.fps)), {
    path: episode.home,
    episode: episode.index,
    what: `window of ${camera}`,
    before: before === undefined ? 'absent' : inWords(before),
    after: inWords(now),
  });
}

function inWords({ chunk, file, from_s, to_s }: Window): string {
  return `file ${chunk}/${file}, ${Number(from_s.toFixed(6))} to ${Number(to_s.toFixed(6))} s`;
}

function codesOf(before: Window | undefined, now: Window, rate_hz: number): Code[] {
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
