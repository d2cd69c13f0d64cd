import { camerasOf, infoPath, type LeRobotDraft } from '../draft/draft.ts';
import { videoFilesV3, videoPathV2 } from '../draft/video-paths.ts';
import { readStamps } from '../write/data-columns.ts';
import { changed, type Mend } from './mend.ts';

/** `fps` is the rate of stamps and videos, where these agree on another than is declared. */
export const rate: Mend = {
  id: 'rate',
  title: 'fps is the rate at which stamps and videos run, where these agree',
  answers: ['rate_mismatch', 'fps_missing'],
  run: async (draft) => {
    const declared = Number(draft.info.value.fps ?? Number.NaN);
    const found = await rateOfStamps(draft);
    if (found === null || found === declared || !(await videosRunAt(draft, found))) return;
    draft.info.set(['fps'], found);
    changed(draft, rate, [declared > 0 ? 'rate_mismatch' : 'fps_missing'], {
      path: infoPath,
      what: 'fps',
      before: declared > 0 ? String(declared) : 'absent',
      after: String(found),
    });
  },
};

/** Within this of a multiple of the period a stamp lies on the grid: the library's tolerance. */
const slack_s = 1e-4;

/** The whole rate that all stamps of all episodes lie on; null where there is none. */
async function rateOfStamps(draft: LeRobotDraft): Promise<number | null> {
  let rate_hz: number | null = null;
  for (const file of draft.files) {
    const stamps = await readStamps(file);
    for (const { start, rows } of file.spans) {
      if (rows < 3) continue;
      const own = stamps.subarray(start, start + rows);
      rate_hz ??= Math.round((rows - 1) / (own[rows - 1] - own[0]));
      if (!(rate_hz > 0 && Number.isFinite(rate_hz))) return null;
      for (let row = 0; row < rows; row++) if (!(Math.abs(own[row] - row / rate_hz) <= slack_s)) return null;
    }
  }
  return rate_hz;
}

async function videosRunAt(draft: LeRobotDraft, rate_hz: number): Promise<boolean> {
  for (const camera of camerasOf(draft.info.value)) {
    const paths =
      draft.layout === 'v2'
        ? draft.episodes.map(({ index }) => videoPathV2(draft, camera, index))
        : videoFilesV3(draft, camera).map(({ path }) => path);
    for (const path of paths) {
      const fact = await draft.videos.of(path);
      if (fact === null || fact.frames < 3) continue;
      const [first, last] = [fact.time_s[0], fact.time_s[fact.frames - 1]];
      if (Math.abs((last - first) * rate_hz - (fact.frames - 1)) > 0.1) return false;
    }
  }
  return true;
}
