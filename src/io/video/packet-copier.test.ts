import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodedVideo } from '#test/support/decoded-video';
import { type Encoding, encodeVideo, x264 } from '#test/support/encode-video';
import { temporaryFolder } from '#test/support/lerobot-set';
import { openCodedVideo } from './coded-video.ts';
import { PacketCopier } from './packet-copier.ts';

const [width, height] = [64, 48];
const rate_hz = 30;

/** A bright block that wanders over noise: no two frames are alike. */
function frame(seed: number, at: number): Uint8Array {
  const yuv = new Uint8Array((width * height * 3) / 2).fill(128);
  for (let i = 0; i < width * height; i++)
    yuv[i] = (i * 7 + seed * 31 + ((i + at * 3) % 61 < 9 ? 140 : 0)) % 256;
  return yuv;
}

const encodings: readonly (readonly [name: string, encoding: Encoding])[] = [
  ['H.264, every second frame a key, as LeRobot writes it', x264],
  [
    'H.264 with frames that lean on later ones',
    { ...x264, keyframe_every: 12, b_frames: 2, options: { preset: 'medium' } },
  ],
  ['H.264 with one key', { ...x264, keyframe_every: 250 }],
  [
    'H.264 with open groups',
    { ...x264, keyframe_every: 8, b_frames: 2, options: { preset: 'medium', 'x264-params': 'open-gop=1' } },
  ],
  [
    'HEVC',
    {
      encoder: 'libx265',
      container: 'mp4',
      keyframe_every: 10,
      b_frames: 2,
      options: { preset: 'ultrafast', 'x265-params': 'log-level=none' },
    },
  ],
  ['AV1', { encoder: 'libsvtav1', container: 'mp4', keyframe_every: 2, options: { preset: '12' } }],
  [
    'VP9 in Matroska',
    { encoder: 'libvpx-vp9', container: 'matroska', keyframe_every: 10, options: { deadline: 'realtime' } },
  ],
];

describe('copied packets', () => {
  it.each(encodings)('decode to the pictures of the source: %s', async (_, encoding) => {
    const folder = await temporaryFolder();
    const sources = ['a', 'b'].map((name) => join(folder, `${name}.mp4`));
    for (const [seed, path] of sources.entries())
      await encodeVideo(
        path,
        width,
        height,
        Array.from({ length: 40 }, (_, at) => frame(seed, at)),
        { ...encoding, rate_hz },
      );
    const wanted = [
      [
        [5, 9],
        [9, 12],
        [30, 40],
      ],
      [
        [0, 3],
        [17, 33],
      ],
    ];
    const target = join(folder, 'copy.mp4');
    let copier: PacketCopier | null = null;
    const windows: { from_s: number; source: number; from: number; until: number }[] = [];
    for (const [source, path] of sources.entries()) {
      const video = await openCodedVideo(path);
      const shift_s = (await decodedVideo(path))[0].time_s;
      copier ??= await PacketCopier.open(target, video);
      const spans = wanted[source].map(([from, until]) => ({
        from_s: shift_s + from / rate_hz,
        until_s: shift_s + (until - 0.5) / rate_hz,
      }));
      const { from_s } = await copier.append(video, spans);
      for (const [at, [from, until]] of wanted[source].entries())
        windows.push({ from_s: from_s[at], source, from, until });
      await video.close();
    }
    await copier?.close();
    const own = await decodedVideo(target);
    for (const { from_s, source, from, until } of windows) {
      const theirs = (await decodedVideo(sources[source])).slice(from, until).map(({ hash }) => hash);
      const first = own.findIndex(({ time_s }) => Math.abs(time_s - from_s) < 1e-3);
      expect(own.slice(first, first + theirs.length).map(({ hash }) => hash)).toEqual(theirs);
    }
  });

  it('of another coding are refused a place in the same file by what tells codings apart', async () => {
    const folder = await temporaryFolder();
    const [small, large] = [join(folder, 'small.mp4'), join(folder, 'large.mp4')];
    await encodeVideo(small, width, height, [frame(0, 0)], x264);
    await encodeVideo(large, 32, 32, [new Uint8Array(32 * 48)], x264);
    const videos = await Promise.all([small, large].map(openCodedVideo));
    expect(videos[0].coding).not.toBe(videos[1].coding);
    await Promise.all(videos.map((video) => video.close()));
  });

  it('name the file and the seconds where a span holds no frame', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'short.mp4');
    await encodeVideo(path, width, height, [frame(0, 0), frame(0, 1)], x264);
    const video = await openCodedVideo(path);
    const copier = await PacketCopier.open(join(folder, 'copy.mp4'), video);
    await expect(copier.append(video, [{ from_s: 5, until_s: 6 }])).rejects.toMatchObject({
      code: 'unreadable_input',
      path,
      message: expect.stringContaining('no frame from 5 to 6 s'),
    });
    await copier.close();
    await video.close();
  });
});
