import { checkStampsAgainstGrid } from '../../read/findings/stamp-findings.ts';
import type { DataFile, RowSpan } from '../data-file.ts';
import { infoPath, type LeRobotDraft, listVideoCameras } from '../draft.ts';
import { videoFilesV3, videoPathV2 } from '../video-paths.ts';
import { readStamps } from '../write-tables.ts';
import { type LeRobotFix, recordChange, recordUnfixed } from './fix.ts';

/** Fix (`--stamps`): sets timestamps to frame_index / fps, as the library assumes. */
export const stamps: LeRobotFix = {
  id: 'stamps',
  title: 'Set timestamps to frame_index / fps (--stamps)',
  answers: [
    'timestamps_off_grid',
    'timestamps_start_late',
    'timestamps_host_clock',
    'timestamps_gap',
    'timestamps_repeated',
    'timestamps_backwards',
    'clock_jitter',
    'timestamps_duplicated',
  ],
  run: async (draft) => {
    if (!(Number(draft.info.value.fps) > 0)) return;
    for (const file of draft.files) {
      if (!file.columns.some(({ name }) => name === 'timestamp')) continue;
      const all = await readStamps(file);
      for (const span of file.spans)
        await fixSpan(draft, file, span, all.subarray(span.start, span.start + span.rows));
    }
  },
};

/**
 * Restamps one episode if its timestamps have faults; reports it as unfixed without `--stamps` or with extra camera
 * frames.
 */
async function fixSpan(draft: LeRobotDraft, file: DataFile, span: RowSpan, own: Float64Array): Promise<void> {
  const rate_hz = Number(draft.info.value.fps);
  const found = checkStampsAgainstGrid(own, rate_hz, draft.layout, true, file.path);
  if (found.length === 0) return;
  const [{ code, message, advice }] = found;
  const { episode } = span;
  const at = { path: file.path, episode };
  if (!draft.options.stamps)
    return recordUnfixed(draft, code, {
      ...at,
      message,
      advice: `Pass --stamps to set timestamps to frame_index / fps. ${advice}`,
    });
  const extra = await countExtraFrames(draft, span);
  if (extra > 0)
    return recordUnfixed(draft, code, {
      ...at,
      message: `${message}; the cameras have ${extra} more ${extra === 1 ? 'frame' : 'frames'} than rows, so frames cannot be assigned to rows`,
      advice: 'Split the episode at the gap, or re-record it.',
    });
  file.editedColumns.add('timestamp');
  file.restampedEpisodes.add(episode);
  recordChange(draft, stamps, found.map((one) => one.code) as LeRobotFix['answers'], {
    path: file.path,
    episode,
    what: `timestamp of ${span.rows} rows from row ${span.start}`,
    before: `${formatSeconds(own[0])} to ${formatSeconds(own[own.length - 1])} s`,
    after: `0 to ${formatSeconds((span.rows - 1) / rate_hz)} s at ${rate_hz} Hz`,
  });
}

/** Returns the largest number of frames that a camera has beyond the rows; 0 if unknown. */
async function countExtraFrames(draft: LeRobotDraft, { episode, rows }: RowSpan): Promise<number> {
  const row = draft.episodes.find(({ index }) => index === episode);
  let most = 0;
  for (const camera of listVideoCameras(draft.info.value)) {
    if (draft.layout === 'v2') {
      const fact = await draft.videos.get(videoPathV2(draft, camera, episode));
      most = Math.max(most, (fact?.frames ?? 0) - rows);
    } else {
      const window = row?.videos.get(camera);
      if (window === undefined) continue;
      most = Math.max(most, Math.round((window.to_s - window.from_s) * Number(draft.info.value.fps)) - rows);
    }
  }
  return most;
}

function formatSeconds(value: number): string {
  return String(Number(value.toPrecision(7)));
}

/** Fix: sets `fps` to the rate of timestamps and videos if both agree on another than declared. */
export const rate: LeRobotFix = {
  id: 'rate',
  title: 'Set fps to the rate of timestamps and videos, if they agree',
  answers: ['rate_mismatch', 'fps_missing'],
  run: async (draft) => {
    const declared = Number(draft.info.value.fps ?? Number.NaN);
    const found = await inferRate(draft);
    if (found === null || found === declared || !(await videosHaveRate(draft, found))) return;
    draft.info.set(['fps'], found);
    recordChange(draft, rate, [declared > 0 ? 'rate_mismatch' : 'fps_missing'], {
      path: infoPath,
      what: 'fps',
      before: declared > 0 ? String(declared) : 'absent',
      after: String(found),
    });
  },
};

/** The library's tolerance between a timestamp and the grid, in seconds. */
const gridTolerance_s = 1e-4;

/** Returns the integer rate whose grid all timestamps of all episodes lie on; null if there is none. */
async function inferRate(draft: LeRobotDraft): Promise<number | null> {
  let rate_hz: number | null = null;
  for (const file of draft.files) {
    const stamps = await readStamps(file);
    for (const { start, rows } of file.spans) {
      if (rows < 3) continue;
      const own = stamps.subarray(start, start + rows);
      rate_hz ??= Math.round((rows - 1) / (own[rows - 1] - own[0]));
      if (!(rate_hz > 0 && Number.isFinite(rate_hz))) return null;
      for (let row = 0; row < rows; row++)
        if (!(Math.abs(own[row] - row / rate_hz) <= gridTolerance_s)) return null;
    }
  }
  return rate_hz;
}

/** Returns true if no readable video contradicts the rate. */
async function videosHaveRate(draft: LeRobotDraft, rate_hz: number): Promise<boolean> {
  for (const camera of listVideoCameras(draft.info.value)) {
    const paths =
      draft.layout === 'v2'
        ? draft.episodes.map(({ index }) => videoPathV2(draft, camera, index))
        : videoFilesV3(draft, camera).map(({ path }) => path);
    for (const path of paths) {
      const fact = await draft.videos.get(path);
      if (fact === null || fact.frames < 3) continue;
      const [first, last] = [fact.time_s[0], fact.time_s[fact.frames - 1]];
      if (Math.abs((last - first) * rate_hz - (fact.frames - 1)) > 0.1) return false;
    }
  }
  return true;
}
