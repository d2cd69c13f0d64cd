import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_VP9,
  type AVCodecID,
} from 'node-av/constants';
import { describe, expect, it } from 'vitest';
import { exportDataset } from '#engine/local/export';
import { discover, readPictureStream, type StreamedPicture } from '#formats';
import { decodedUnits, decodedVideo } from './support/decoded-video.ts';
import { type Encoding, encodeVideo, x264 } from './support/encode-video.ts';
import { temporaryFolder } from './support/lerobot-set.ts';
import { movingPicture } from './support/moving-picture.ts';

const [width, height, count] = [64, 48, 40];

/** Exports a video file as MCAP; gives both files and what the lineage says was changed. */
async function exported(encoding: Encoding) {
  const folder = await temporaryFolder();
  const source = join(folder, 'recordings');
  await mkdir(source);
  const video = join(source, 'film.mp4');
  await encodeVideo(video, width, height, movingPicture(width, height, count), encoding);
  const out = join(folder, 'export');
  const { lineage } = await exportDataset(source, out, { format: 'mcap', only: ['0'] });
  return { video, out, edits: lineage?.edits ?? [] };
}

/** The camera of an exported episode: its messages with their times. */
async function cameraOf(out: string) {
  const { datasets } = await discover(out);
  const { dataset } = datasets[0];
  const [unit] = dataset.units;
  for await (const episode of dataset.read(unit, {})) {
    if ('unreadable' in episode) throw new Error(episode.finding.message);
    const { frames, sample_count, clocks, clock } = episode.streams.find(({ role }) => role === 'camera')!;
    const { locator } = frames!;
    if (locator.type !== 'embedded') throw new Error('no messages');
    const { index, start_ns } = episode;
    const log_s = clocks.find(({ provenance }) => provenance === 'log')!.time_s;
    const wanted = { locator, episode_index: index, start_ns, log_s, rows: sample_count };
    const messages: StreamedPicture[] = [];
    for await (const picture of readPictureStream(dataset, wanted)) messages.push(picture);
    await dataset.close();
    return { encoding: locator.encoding, messages, time_s: clocks[clock!.index].time_s };
  }
  throw new Error('no episode');
}

/** Types of the units of an Annex B access unit, by how many bits they lie below the header's top. */
function unitTypes(bytes: Uint8Array, of: (header: number) => number): number[] {
  const types: number[] = [];
  for (let i = 0; i + 3 < bytes.length; i++)
    if (bytes[i] === 0 && bytes[i + 1] === 0 && bytes[i + 2] === 1) types.push(of(bytes[i + 3]));
  return types;
}
const h264Type = (header: number) => header & 0x1f;
const h265Type = (header: number) => (header >> 1) & 0x3f;
const obuType = (bytes: Uint8Array) => (bytes[0] >> 3) & 0x0f;

interface Case {
  readonly format: string;
  readonly codec: AVCodecID;
  readonly encoding: Encoding;
  /** Units that each message with a key frame must hold (Foxglove's rules for `CompressedVideo`). */
  readonly needed: readonly number[];
  readonly typesOf: (bytes: Uint8Array) => readonly number[];
}

const options = { preset: 'ultrafast' };
const cases: readonly Case[] = [
  {
    format: 'h264',
    codec: AV_CODEC_ID_H264,
    encoding: { ...x264, keyframe_every: 12 },
    needed: [5, 7, 8],
    typesOf: (bytes) => unitTypes(bytes, h264Type),
  },
  {
    format: 'h265',
    codec: AV_CODEC_ID_HEVC,
    encoding: {
      encoder: 'libx265',
      container: 'mp4',
      keyframe_every: 12,
      options: { ...options, 'x265-params': 'log-level=none:bframes=0' },
    },
    needed: [32, 33, 34],
    typesOf: (bytes) => unitTypes(bytes, h265Type),
  },
  {
    format: 'av1',
    codec: AV_CODEC_ID_AV1,
    encoding: { encoder: 'libsvtav1', container: 'mp4', keyframe_every: 12, options: { preset: '12' } },
    needed: [1],
    typesOf: (bytes) => [obuType(bytes)],
  },
  {
    format: 'vp9',
    codec: AV_CODEC_ID_VP9,
    encoding: {
      encoder: 'libvpx-vp9',
      container: 'mp4',
      keyframe_every: 12,
      options: { deadline: 'realtime' },
    },
    needed: [],
    typesOf: () => [],
  },
];

describe('video in MCAP', () => {
  it.each(cases)(
    'keeps the packets of $format, a frame a message, each shown without one to come',
    async ({ format, codec, encoding, needed, typesOf }) => {
      const { video, out, edits } = await exported(encoding);
      const source = await decodedVideo(video);
      const { encoding: written, messages, time_s } = await cameraOf(out);
      expect(edits.filter(({ edit }) => edit === 'encode')).toEqual([]);
      expect(written).toBe(format);
      const units = decodedUnits(
        codec,
        messages.map(({ bytes }) => bytes),
      );
      expect(units.map((own) => own[0])).toEqual([...source.map(({ hash }) => hash), undefined]);
      const zero = source[0].time_s;
      for (const [i, { time_s: own }] of source.entries())
        expect(time_s[i] - time_s[0]).toBeCloseTo(own - zero, 6);
      const keys = messages.filter(({ key }) => key);
      expect(keys.length).toBeGreaterThan(1);
      for (const { bytes } of keys) expect(typesOf(bytes)).toEqual(expect.arrayContaining([...needed]));
    },
    60_000,
  );

  it.each([
    ['H.264', { ...x264, keyframe_every: 12, b_frames: 2, options: { preset: 'medium' } }],
    [
      'H.265',
      {
        encoder: 'libx265',
        container: 'mp4',
        keyframe_every: 12,
        b_frames: 2,
        options: { ...options, 'x265-params': 'log-level=none' },
      },
    ],
  ] satisfies (readonly [string, Encoding])[])(
    'is encoded as JPEG where frames of %s lean on later ones, and says why',
    async (_, encoding) => {
      const { out, edits } = await exported(encoding);
      const { encoding: written, messages } = await cameraOf(out);
      expect(edits).toContainEqual(
        expect.objectContaining({
          edit: 'encode',
          codec: 'jpeg',
          reason: 'its frames depend on later frames (B-frames)',
        }),
      );
      expect(written).toBe('jpeg');
      expect(messages).toHaveLength(count);
    },
    60_000,
  );

  it('of a codec that no message holds is encoded as JPEG, and says why', async () => {
    const { out, edits } = await exported({ encoder: 'mpeg4', container: 'mp4' });
    expect(edits).toContainEqual(
      expect.objectContaining({ edit: 'encode', reason: 'no message declares its codec' }),
    );
    expect((await cameraOf(out)).messages).toHaveLength(count);
  }, 60_000);
});
