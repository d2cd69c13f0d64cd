import { stampFindings } from '../../read/findings/stamp-findings.ts';
import type { DataFile, RowSpan } from '../draft/data-file.ts';
import { camerasOf, type LeRobotDraft } from '../draft/draft.ts';
import { videoPathV2 } from '../draft/video-paths.ts';
import { readStamps } from '../write/data-columns.ts';
import { changed, type Mend, unfixed } from './mend.ts';

/** `--stamps`: time stamps are frame_index / fps, which is what the library takes them for. */
export const stamps: Mend = {
  id: 'stamps',
  title: 'Time stamps are frame_index / fps (--stamps)',
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
        await mendSpan(draft, file, span, all.subarray(span.start, span.start + span.rows));
    }
  },
};

async function mendSpan(
  draft: LeRobotDraft,
  file: DataFile,
  span: RowSpan,
  own: Float64Array,
): Promise<void> {
  const rate_hz = Number(draft.info.value.fps);
  const found = stampFindings(own, rate_hz, draft.layout, true, file.path);
  if (found.length === 0) return;
  const [{ code, message, advice }] = found;
  const { episode } = span;
  const at = { path: file.path, episode };
  if (!draft.options.stamps)
    return unfixed(draft, code, {
      ...at,
      message,
      advice: `Pass --stamps to write them as frame_index / fps. ${advice}`,
    });
  const extra = await framesWithoutRows(draft, span);
  if (extra > 0)
    return unfixed(draft, code, {
      ...at,
      message: `${message}; the cameras have ${extra} more frames than there are rows, so that nobody knows which frame is whose`,
      advice: 'Cut the episode at the hole, or record it again.',
    });
  file.edits.add('timestamp');
  file.stamped.add(episode);
  changed(draft, stamps, found.map((one) => one.code) as Mend['answers'], {
    path: file.path,
    episode,
    what: `timestamp of ${span.rows} rows from row ${span.start}`,
    before: `${short(own[0])} to ${short(own[own.length - 1])} s`,
    after: `0 to ${short((span.rows - 1) / rate_hz)} s, ${rate_hz} a second`,
  });
}

/** Frames that a camera has beyond the rows of the episode; 0 where it is not known. */
async function framesWithoutRows(draft: LeRobotDraft, { episode, rows }: RowSpan): Promise<number> {
  const row = draft.episodes.find(({ index }) => index === episode);
  let most = 0;
  for (const camera of camerasOf(draft.info.value)) {
    if (draft.layout === 'v2') {
      const fact = await draft.videos.of(videoPathV2(draft, camera, episode));
      most = Math.max(most, (fact?.frames ?? 0) - rows);
    } else {
      const window = row?.videos.get(camera);
      if (window === undefined) continue;
      most = Math.max(most, Math.round((window.to_s - window.from_s) * Number(draft.info.value.fps)) - rows);
    }
  }
  return most;
}

function short(value: number): string {
  return String(Number(value.toPrecision(7)));
}
