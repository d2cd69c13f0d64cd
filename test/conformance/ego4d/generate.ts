/** Writes the inputs of the cases beside it: `node test/conformance/ego4d/generate.ts`. */
import { join } from 'node:path';
import { tinyVideo, writeCase } from '../../support/case-files.ts';

const uid = 'a1b2c3d4-0000-4000-8000-000000000001';
const said = (timestamp_sec: number, narration_text: string) => ({
  timestamp_sec,
  timestamp_frame: Math.round(timestamp_sec * 50),
  narration_text,
  annotation_uid: 'x',
});
const place = join(import.meta.dirname, 'two-passes', 'input');

await writeCase(place, {
  'v2/annotations/all_narrations_redacted.json': {
    version: '2.0',
    videos: {
      [uid]: {
        status: 'complete',
        narration_pass_1: { narrations: [said(0.3, '#C C picks a knife'), said(0.1, '#O A man X walks')] },
        narration_pass_2: { narrations: [said(0.2, '#C C #unsure'), { narration_text: '#C C waits' }] },
      },
      gone: { status: 'redacted' },
    },
  },
  'v2/ego4d.json': {
    videos: [
      {
        video_uid: uid,
        duration_sec: 0.4,
        video_metadata: { fps: 50, video_start_sec: 0, audio_start_sec: 0.3 },
        redacted_intervals: [{ start_sec: 0.1, end_sec: 0.2 }],
      },
    ],
  },
});
await tinyVideo(join(place, 'v2', 'full_scale', `${uid}.mp4`), 20, 'mp4');
