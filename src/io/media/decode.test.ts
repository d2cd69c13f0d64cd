import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PictureEncoding, RawLayout, SampledPicture } from '#core/episode';
import { encodeVideo, x264 } from '#test/support/encode-video';
import {
  createMediaService,
  type DecodeRequest,
  type FrameNeed,
  type FrameOutcome,
  planFrames,
} from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-decode-'));
const service = createMediaService({ children: 1 });
const [width, height, rate_hz, count] = [320, 240, 30, 90];

beforeAll(async () => {
  // Each frame has a brightness of its own, so that it is known again.
  const frames = Array.from({ length: count }, (_, i) =>
    new Uint8Array((width * height * 3) / 2).fill(128).fill(30 + 2 * i, 0, width * height),
  );
  await encodeVideo(join(folder, 'grey.mp4'), width, height, frames, {
    ...x264,
    options: { preset: 'ultrafast', crf: '4' },
    keyframe_every: 30,
    b_frames: 2,
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const hz = (rate: number, longest_side_px = 4096): FrameNeed => ({ rate_hz: rate, longest_side_px });

const video = (path: string, wishes: readonly FrameNeed[], span = [0, null] as [number, number | null]) => {
  const [from_s, to_s] = span;
  const locator = { type: 'video', path, from_s, to_s, expected_frames: null } as const;
  return requestOf({ locator, declared_size_px: null, declared_codec: null }, wishes);
};
const requestOf = (frames: DecodeRequest['frames'], wishes: readonly FrameNeed[]): DecodeRequest => ({
  root: folder,
  frames,
  declared_rate_hz: null,
  stamps_s: null,
  needs: wishes,
});

async function all(request: DecodeRequest, from = service): Promise<FrameOutcome[]> {
  const found: FrameOutcome[] = [];
  for await (const batch of from.decode(request)) found.push(...batch);
  return found;
}

/** Brightness by which a frame is known. */
const levelOf = (frame: FrameOutcome, wish = 0): number | null =>
  'pictures' in frame ? (frame.pictures[wish]?.rgb[0] ?? null) : null;
const greyOf = (row: number) => Math.round(((30 + 2 * row - 16) * 255) / 219);

describe('the frames that a wish takes', () => {
  const even = Float64Array.from({ length: 300 }, (_, i) => i / 30);
  const rowsOf = (times: Float64Array, rate: number) => planFrames(times, [hz(rate)]).map(({ row }) => row);

  it('are evenly spread, all of them where it asks for as many as there are', () => {
    expect(rowsOf(even, 30)).toHaveLength(300);
    expect(rowsOf(even, 1)).toEqual([0, 30, 60, 90, 120, 150, 180, 210, 240, 270]);
    expect(rowsOf(even, 100)).toHaveLength(300);
  });

  it('are as many where stamps are not even', () => {
    const jittered = even.map((time, i) => time + ((i * 7919) % 11) * 0.0008);
    expect(rowsOf(jittered, 30)).toHaveLength(300);
    expect(rowsOf(jittered, 5).length).toBeGreaterThanOrEqual(50);
  });

  it('are none without a stamp, and no more than one of a time', () => {
    expect(rowsOf(Float64Array.of(Number.NaN, Number.NaN), 1)).toEqual([]);
    expect(rowsOf(Float64Array.of(2, 2, 2, Number.NaN, 1), 1)).toEqual([0, 4]);
  });
});

describe('frames of a video', () => {
  it('are those of the rate asked for, on the recorded stamps, in colour and size', async () => {
    const found = await all(video('grey.mp4', [hz(5, 160)]));
    const rows = found.map(({ row }) => row);
    expect(rows).toEqual(
      planFrames(
        Float64Array.from({ length: count }, (_, i) => i / rate_hz),
        [hz(5)],
      ).map(({ row }) => row),
    );
    for (const frame of found) {
      expect(frame.time_s).toBeCloseTo(frame.row / rate_hz, 4);
      expect(frame).toMatchObject({ pictures: [{ width_px: 160, height_px: 120 }] });
      expect(Math.abs(levelOf(frame)! - greyOf(frame.row))).toBeLessThanOrEqual(2);
    }
  });

  it('are decoded once for several, and for each the same as if it were alone', async () => {
    const wishes = [hz(30, 64), hz(7, 200), hz(1)];
    const together = await all(video('grey.mp4', wishes));
    for (const [wish, own] of wishes.entries()) {
      const alone = await all(video('grey.mp4', [own]));
      const mine = together.filter((frame) => 'pictures' in frame && frame.pictures[wish] !== null);
      const shown = (frames: FrameOutcome[], at: number) =>
        frames.map((frame) => [frame.row, frame.time_s, 'pictures' in frame && frame.pictures[at]]);
      expect(shown(mine, wish)).toEqual(shown(alone, 0));
    }
  });

  it('begin and end with the span', async () => {
    const found = await all(video('grey.mp4', [hz(30, 32)], [1, 2]));
    expect(found.map(({ row }) => row)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    expect(Math.abs(levelOf(found[0])! - greyOf(30))).toBeLessThanOrEqual(2);
    expect(found[0].time_s).toBeCloseTo(0, 4);
  });

  it('come in batches of some megabytes, and no further than they are read', async () => {
    const sizes: number[] = [];
    for await (const batch of service.decode(video('grey.mp4', [hz(30)]))) {
      sizes.push(batch.reduce((sum, one) => sum + ('pictures' in one ? one.pictures[0]!.rgb.length : 0), 0));
      if (sizes.length === 2) break;
    }
    expect(Math.max(...sizes)).toBeLessThan(9 * 2 ** 20);
    // What was left behind is in nobody's way.
    expect(await all(video('grey.mp4', [hz(1, 32)]))).toHaveLength(3);
  });

  it('are the same where two read one file by turns', async () => {
    const [first, second] = [hz(30, 300), hz(29, 310)].map((wish) =>
      service.decode(video('grey.mp4', [wish])),
    );
    const rows: number[][] = [[], []];
    for (let open = 2; open > 0; ) {
      open = 0;
      for (const [at, frames] of [first, second].entries()) {
        const { value, done } = await frames.next();
        if (done === true) continue;
        open++;
        for (const frame of value) {
          rows[at].push(frame.row);
          expect(Math.abs(levelOf(frame)! - greyOf(frame.row))).toBeLessThanOrEqual(2);
        }
      }
    }
    expect(rows[0]).toHaveLength(count);
    expect(rows[1].length).toBeGreaterThan(80);
  });

  it('that a decoder refuses are told with the reason, the others are there', async () => {
    const bytes = readFileSync(join(folder, 'grey.mp4'));
    bytes.fill(0xff, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.6));
    writeFileSync(join(folder, 'damaged.mp4'), bytes);
    const found = await all(video('damaged.mp4', [hz(30, 64)]));
    const missing = found.filter((frame) => 'reason' in frame);
    expect(found.map(({ row }) => row)).toEqual(found.map((_, row) => row));
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.length).toBeLessThan(found.length);
  });

  it.each([
    ['nowhere.mp4', 'file not found'],
    ['text.mp4', 'is text'],
  ])('are none of %s, which says why', async (name, why) => {
    writeFileSync(join(folder, 'text.mp4'), 'not a video at all, but a text');
    await expect(all(video(name, [hz(1)]))).rejects.toMatchObject({
      code: 'media_failed',
      message: expect.stringContaining(why),
    });
  });

  it('end where nobody wants them any more', async () => {
    const abort = new AbortController();
    const read = async () => {
      for await (const _ of service.decode(video('grey.mp4', [hz(30)]), abort.signal))
        abort.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });
});

describe('frames that are pictures', () => {
  const picture = (bytes: Buffer | Uint8Array, name: string) => writeFileSync(join(folder, name), bytes);
  const flat = (w: number, h: number, rgb: [number, number, number]) =>
    sharp(Buffer.from(Array.from({ length: w * h }, () => rgb).flat()), {
      raw: { width: w, height: h, channels: 3 },
    });

  it('stand upright, in three channels, and say where one is missing', async () => {
    picture(
      await flat(40, 20, [200, 10, 30]).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'turned.jpg',
    );
    picture(await flat(8, 6, [70, 70, 70]).toColourspace('b-w').png().toBuffer(), 'grey.png');
    picture(Buffer.from('424d', 'hex'), 'none.bmp');
    const paths = ['turned.jpg', 'grey.png', 'none.bmp', 'gone.png'];
    const request = requestOf(
      { locator: { type: 'image-files', paths }, declared_size_px: null, declared_codec: null },
      [hz(1, 20)],
    );
    const [turned, grey, none, gone] = await all(request);
    expect(turned).toMatchObject({ row: 0, time_s: 0, pictures: [{ width_px: 10, height_px: 20 }] });
    expect(grey).toMatchObject({ row: 1, time_s: 1, pictures: [{ width_px: 8, height_px: 6 }] });
    expect(grey).toHaveProperty('pictures.0.rgb', new Uint8Array(8 * 6 * 3).fill(70));
    expect(none).toMatchObject({ row: 2, reason: expect.any(String) });
    expect(gone).toMatchObject({ row: 3, reason: 'file not found: gone.png' });
  });

  it('go by the stamps of their stream', async () => {
    const paths = ['turned.jpg', 'turned.jpg', 'turned.jpg'];
    const frames = {
      locator: { type: 'image-files', paths },
      declared_size_px: null,
      declared_codec: null,
    } as const;
    const found = await all({ ...requestOf(frames, [hz(1, 8)]), stamps_s: Float64Array.of(0, 0.1, 5) });
    expect(found.map(({ row, time_s }) => [row, time_s])).toEqual([
      [0, 0],
      [2, 5],
    ]);
  });
});

describe('frames inside a recording', () => {
  const kept = (encoding: PictureEncoding, bytes: readonly Uint8Array[], layout?: RawLayout) => {
    const pictures = bytes.map(
      (own, index): SampledPicture => ({ index, time_s: index, bytes: own, ...(layout && { layout }) }),
    );
    const locator = { type: 'embedded', path: 'a.mcap', channel: '/camera', encoding } as const;
    return requestOf({ locator, declared_size_px: null, declared_codec: null, kept: pictures }, [hz(1)]);
  };
  const raw = (encoding: string, step: number): RawLayout => ({ encoding, width: 2, height: 2, step });

  it('are read by their layout', async () => {
    const bgr = Uint8Array.of(1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0);
    const [colour] = await all(kept('raw', [bgr], raw('bgr8', 8)));
    expect(colour).toHaveProperty('pictures.0.rgb', Uint8Array.of(3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10));
    const deep = new Uint8Array(Uint16Array.of(0, 0x1234, 0x8000, 0xffff).buffer);
    const [grey] = await all(kept('raw', [deep], raw('mono16', 4)));
    expect(grey).toHaveProperty(
      'pictures.0.rgb',
      Uint8Array.of(0, 0, 0, 0x12, 0x12, 0x12, 0x80, 0x80, 0x80, 255, 255, 255),
    );
    const [measures] = await all(kept('raw', [new Uint8Array(16)], raw('32FC1', 8)));
    expect(measures).toMatchObject({ reason: expect.stringContaining('depth values (32FC1)') });
  });

  it('are those that were chosen', async () => {
    const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#804020' } })
      .jpeg()
      .toBuffer();
    const plan = [
      { row: 1, time_s: 0.7, needs: [0] },
      { row: 5, time_s: 3, needs: [0] },
    ];
    const found = await all({ ...kept('jpeg', [jpeg, jpeg, jpeg]), plan });
    expect(found[0]).toMatchObject({ row: 1, time_s: 0.7, pictures: [{ width_px: 8 }] });
    expect(found[1]).toMatchObject({ row: 5, reason: 'the image was not found in the recording' });
  });
});

describe.skipIf(!existsSync('/proc/self/task'))('decoding whose process is ended', () => {
  const children = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return (
          line.includes('media/child/main.ts') &&
          readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(process.pid)
        );
      } catch {
        return false;
      }
    });

  it('goes on where it was', async () => {
    const own = createMediaService({ children: 1 });
    const whole = await all(video('grey.mp4', [hz(30)]), service);
    const before = new Set(children());
    const found: FrameOutcome[] = [];
    for await (const batch of own.decode(video('grey.mp4', [hz(30)]))) {
      for (const pid of children())
        if (!before.has(pid) && found.length < 40) process.kill(Number(pid), 'SIGKILL');
      found.push(...batch);
    }
    expect(found).toEqual(whole);
    await own.close();
  });
});
