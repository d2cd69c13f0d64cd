import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset } from '#engine/local/export';
import { decodedVideo } from './support/decoded-video.ts';
import { type Encoding, x264 } from './support/encode-video.ts';
import { readSet } from './support/lerobot-set.ts';
import { film, filmFrames, filmRate_hz, type RecordedFilm, recordedFilm } from './support/recorded-film.ts';
import { isNightly } from './support/tiers.ts';

const encodings: readonly (readonly [string, Encoding])[] = [
  ['H.264', { ...x264, keyframe_every: 12 }],
  [
    'H.265',
    {
      encoder: 'libx265',
      container: 'mp4',
      keyframe_every: 12,
      options: { preset: 'ultrafast', 'x265-params': 'log-level=none:bframes=0' },
    },
  ],
  ['AV1', { encoder: 'libsvtav1', container: 'mp4', keyframe_every: 12, options: { preset: '12' } }],
  ['VP9', { encoder: 'libvpx-vp9', container: 'mp4', keyframe_every: 12, options: { deadline: 'realtime' } }],
];
const leaning: Encoding = { ...x264, keyframe_every: 12, b_frames: 2, options: { preset: 'medium' } };
const formats = ['lerobot-v3', 'lerobot-v2.1'] as const;

/** Exports as LeRobot; gives the frames of the only camera of its only episode, as the set says where they are. */
async function exported({ folder, source }: RecordedFilm, format: (typeof formats)[number]) {
  const out = join(folder, format);
  const { lineage } = await exportDataset(source, out, { format, only: ['0'] });
  const { episodes, dataset } = await readSet(out);
  const { frames, sample_count } = episodes[0].streams.find(({ role }) => role === 'camera')!;
  await dataset.close();
  if (frames?.locator.type !== 'video') throw new Error('no video');
  const { path, from_s } = frames.locator;
  const shown = await decodedVideo(join(out, path));
  const first = shown.findIndex(({ time_s }) => time_s >= from_s - 0.5 / filmRate_hz);
  const own = shown.slice(first, first + sample_count);
  for (const [row, { time_s }] of own.entries()) expect(time_s - from_s).toBeCloseTo(row / filmRate_hz, 4);
  return { edits: lineage?.edits ?? [], hashes: own.map(({ hash }) => hash), codec: frames.declared_codec };
}

const hashesOf = async (video: string) => (await decodedVideo(video)).map(({ hash }) => hash);

describe.each(formats)('video copied into %s', (format) => {
  // Packet copying does not depend on the format version, so the second version is tested with every codec only at night.
  const codecs = format === 'lerobot-v3' || isNightly ? encodings : encodings.slice(0, 1);

  it.each([...codecs, ['H.264 with frames that lean on later ones', leaning] as const])(
    'of a file decodes to the same pictures: %s',
    async (_, encoding) => {
      const made = await film(encoding);
      const { edits, hashes } = await exported(made, format);
      expect(edits).toContainEqual(expect.objectContaining({ edit: 'copy_video', episodes: 1 }));
      expect(hashes).toEqual(await hashesOf(made.video));
    },
    60_000,
  );

  it.each(codecs)(
    'of messages, from between key frames on: %s',
    async (_, encoding) => {
      const late = 8;
      const made = await recordedFilm(encoding, late);
      const { edits, hashes } = await exported(made, format);
      expect(edits).toContainEqual(expect.objectContaining({ edit: 'copy_video', episodes: 1 }));
      expect(hashes).toEqual((await hashesOf(made.video)).slice(late));
    },
    60_000,
  );

  it('is encoded where the codec is another, and says why', async () => {
    const made = await film({ encoder: 'mpeg4', container: 'mp4' });
    const { edits, hashes } = await exported(made, format);
    const reason = 'its codec is not H.264, H.265, AV1 or VP9';
    expect(edits).toContainEqual(expect.objectContaining({ edit: 'encode', codec: 'h264', reason }));
    expect(hashes).toHaveLength(filmFrames);
  }, 60_000);
});

it('is encoded where rows leave frames out, and says why', async () => {
  const { folder, source } = await film({ ...x264, keyframe_every: 12 });
  const { lineage } = await exportDataset(source, join(folder, 'slow'), { rate_hz: 10, only: ['0'] });
  const reason = 'resampling repeats or skips some of its frames';
  expect(lineage?.edits).toContainEqual(expect.objectContaining({ edit: 'encode', reason }));
}, 60_000);
