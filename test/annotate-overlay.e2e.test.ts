import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viridis } from '../src/annotation/overlays/colours.ts';
import { openCodedVideo } from '../src/exports/video/coded-video.ts';
import { runAssay } from './run-assay.ts';
import { rgbdMcap } from './support/rgbd-mcap.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-test-annotate-overlay-'));
const [width, height] = [64, 48];

/** Depth that was recorded: 1 m at the left to 2 m at the right. */
beforeAll(async () => {
  mkdirSync(join(folder, 'depth'));
  const frames = [0, 0.5, 1].map((time_s) => ({
    time_s,
    rgb: new Uint8Array(3 * width * height).fill(120),
    depth: Uint16Array.from(
      { length: width * height },
      (_, i) => 1000 + Math.round((1000 * (i % width)) / (width - 1)),
    ),
  }));
  const bytes = await rgbdMcap([width, height], [60, 0, 32, 0, 60, 24, 0, 0, 1], frames);
  writeFileSync(join(folder, 'depth', 'camera.mcap'), bytes);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('assay annotate --overlay', () => {
  const annotate = (...args: string[]) =>
    runAssay(['annotate', join(folder, 'depth'), '--layers', 'depth', '--json', ...args]);

  it('writes a film of one episode, whole, and nothing over what is there', async () => {
    const film = join(folder, 'made', 'depth.mp4');
    const ran = await annotate('--overlay', film);
    expect(ran.code, ran.err).toBe(0);
    const { overlay } = JSON.parse(ran.out);
    expect(overlay).toMatchObject({ path: film, camera: '/camera/depth/image_rect_raw', rate_hz: 2 });
    expect([overlay.width_px, overlay.height_px, overlay.pictures]).toEqual([640, 480, 3]);
    expect(readdirSync(join(folder, 'made'))).toEqual(['depth.mp4']);
    const video = await openCodedVideo(film);
    expect(video.packets).toHaveLength(3);
    await video.close();
    const again = await annotate('--overlay', film);
    expect(again.code).toBe(2);
    expect(again.err).toContain('is there already');
  }, 240_000);

  it('writes a folder of pictures, and says which cameras there are', async () => {
    const pictures = join(folder, 'made', 'pictures');
    const ran = await annotate('--overlay', pictures, '--camera', '/camera/depth/image_rect_raw');
    expect(ran.code, ran.err).toBe(0);
    const names = readdirSync(pictures).sort();
    expect(names).toEqual(['000000.000s.png', '000001.000s.png']);
    const drawn = sharp(readFileSync(join(pictures, names[0]))).extract({
      left: 320,
      top: 100,
      width: 1,
      height: 1,
    });
    const pixel = [...(await drawn.raw().toBuffer())];
    for (const [at, value] of viridis(0.5).entries()) expect(Math.abs(pixel[at] - value)).toBeLessThan(25);
    const wrong = await annotate('--overlay', join(folder, 'made', 'none.mp4'), '--camera', 'wrist');
    expect(wrong.code).toBe(3);
    expect(wrong.err).toContain('/camera/depth/image_rect_raw');
    expect(readdirSync(join(folder, 'made')).sort()).toEqual(['depth.mp4', 'pictures']);
  }, 240_000);
});

describe('assay assess --annotations', () => {
  it('shows what layers say in the report, the same bytes each time, and nothing without', async () => {
    const made = join(folder, 'annotations');
    const ran = await runAssay([
      'annotate',
      join(folder, 'depth'),
      '--layers',
      'depth,annotation_review',
      '--out',
      made,
    ]);
    expect(ran.code, ran.err).toBe(0);
    const report = async (name: string, ...args: string[]) => {
      const assessed = await runAssay([
        'assess',
        join(folder, 'depth'),
        '--out',
        join(folder, name),
        ...args,
      ]);
      expect(assessed.code, assessed.err).toBe(0);
      return join(folder, name, 'data', 'annotations-0.js');
    };
    const [one, two] = [
      await report('one', '--annotations', made),
      await report('two', '--annotations', made),
    ];
    expect(readFileSync(one, 'utf8')).toBe(readFileSync(two, 'utf8'));
    const packed = /\['([^']+)'\]/.exec(readFileSync(one, 'utf8'))![1];
    const { overlays } = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString());
    const drawings = overlays.flat(2);
    expect(drawings.length).toBeGreaterThan(0);
    for (const { layer, svg } of drawings) {
      expect(layer).toBe('depth');
      expect(svg).toMatch(/^<svg [^>]+><image [^>]+href="data:image\/png;base64,/);
    }
    expect(existsSync(await report('without'))).toBe(false);
    const wrong = await runAssay([
      'assess',
      join(folder, 'depth'),
      '--out',
      join(folder, 'no'),
      '--annotations',
      folder,
    ]);
    expect([wrong.code, wrong.err.includes('holds no annotations')]).toEqual([2, true]);
  }, 240_000);
});
