import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { LayerId } from '#core/api';
import { decodeRuns } from '../vision/read-rle.ts';
import { fitText, textSvg, textWidth, wrapText } from './canvas.ts';
import { colourByIndex, colourByName, directionColour, viridis } from './colours.ts';
import { composePng, drawOverlays, type OverlayCanvas, overlayOf, sizeOfWidth } from './index.ts';
import type { OverlayParts } from './overlay.ts';

const none: OverlayParts = {
  bytes: async () => Promise.reject(new Error('no part')),
  samples: async () => Promise.reject(new Error('no part')),
};
const base = { rgb: new Uint8Array(3 * 100 * 50).fill(80), width_px: 100, height_px: 50 };

async function drawn(layer: LayerId, artifact: unknown, time_s = 0, parts = none) {
  const saying = overlayOf(layer)!.open(artifact).at('front', time_s)!;
  const canvas = await drawOverlays([{ layer, drawing: saying, parts }], sizeOfWidth(400, [100, 50]), time_s);
  const png = await composePng(base, canvas);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3),
  ];
  return { png, canvas, at, size: [info.width, info.height] };
}
const frame = { camera: 'front', time_s: 0, width_px: 100, height_px: 50 };
const far = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));

describe('layers over pictures', () => {
  it('draw boxes where they are, in the colour of their class, and leave the rest as it was', async () => {
    const boxes = [{ label: 'cup', score: 0.9, box: [20, 20, 30, 20] }];
    const { at, size } = await drawn('object_labels', { frames: [{ ...frame, boxes }] });
    expect(size).toEqual([400, 200]);
    for (const x of [80, 199]) expect(far(at(x, 120), colourByName('cup'))).toBeLessThan(60);
    expect(at(140, 120)).toEqual([80, 80, 80]);
    expect(at(300, 120)).toEqual([80, 80, 80]);
  });

  it('draw masks in run lengths as COCO writes them', async () => {
    // pycocotools.mask.encode of 6 x 7 px, of which runs down columns 1, 3 and 5 are set.
    expect(decodeRuns('72930L0')).toEqual([7, 2, 9, 5, 9, 1, 9]);
    const half = { size: [50, 100], counts: textOfRuns([0, 2500, 2500]) };
    const labels = [{ label: 'floor', pixels: 2500, rle: half }];
    const { at } = await drawn('segmentation', { frames: [{ ...frame, labels }] });
    const mixed = colourByName('floor').map((value) => 80 + ((value - 80) * 120) / 255);
    expect(far(at(100, 150), mixed)).toBeLessThan(3);
    expect(at(300, 150)).toEqual([80, 80, 80]);
  });

  it('draw tracks with their tails', async () => {
    const seen = [0, 1, 2, 3];
    const track = { id: 3, frame: seen, point: seen.map((i) => [20 + 20 * i, 25]) };
    const times = { time_s: seen.map((i) => i / 4) };
    const artifact = {
      cameras: [{ camera: 'front', width_px: 100, height_px: 50, frames: times, tracks: [track] }],
    };
    const { at } = await drawn('tracks', artifact, 0.75);
    for (const x of [120, 200, 300]) expect(far(at(x, 100), colourByIndex(3))).toBeLessThan(80);
    expect(at(360, 100)).toEqual([80, 80, 80]);
  });

  it('colour flow by its direction', async () => {
    const planes = new Int16Array(2 * 10 * 5).fill(64, 0, 50);
    const bytes = new Uint8Array(planes.buffer);
    const pairs = {
      ...{ from_s: [0], to_s: [0.5], width_px: [10], height_px: [5], part: ['flow-0000'], offset_bytes: [0] },
    };
    const artifact = { cameras: [{ camera: 'front', pairs }], planes: { px_per_unit: 1 / 32 } };
    const { at } = await drawn('optical_flow', artifact, 0, { ...none, bytes: async () => bytes });
    const red = directionColour(0);
    expect(red).toEqual([255, 0, 0]);
    expect(
      far(
        at(200, 150),
        red.map((value) => 80 + ((value - 80) * 235) / 255),
      ),
    ).toBeLessThan(3);
  });

  it('are the same bytes again', async () => {
    const artifact = { windows: [{ from_s: 0, to_s: 5, text: 'The arm moves to the cup.' }] };
    const [one, two] = [await drawn('captions', artifact), await drawn('captions', artifact)];
    expect(Buffer.from(one.png).equals(Buffer.from(two.png))).toBe(true);
  });

  it('tell what they say of an earlier picture', async () => {
    const artifact = { frames: [{ ...frame, boxes: [] }] };
    const { canvas } = await drawn('object_labels', artifact, 2);
    expect(canvas.svg().length).toBeGreaterThan((await drawn('object_labels', artifact)).canvas.svg().length);
  });

  it('say facts in words', async () => {
    const of = (value: unknown) => ({ reason: null, status: 'told', value });
    const brightness = [{ stream: 'front', mean: 0.48, by_hour: [1, 2] }];
    const artifact = { facts: { brightness: of(brightness), scene_cuts: of([]), kind: of('teleop') } };
    const notes: string[] = [];
    const canvas = { note: (line: string) => notes.push(line) } as unknown as OverlayCanvas;
    await overlayOf('metadata')!.open(artifact).at('front', 0)!.draw(canvas, none);
    expect(notes).toEqual(['brightness: stream front, mean 0.48', 'scene cuts: none', 'kind: teleop']);
  });

  it('refuse what no lane has written, with the place', () => {
    const open = () => overlayOf('object_labels')!.open({ frames: [{ ...frame, boxes: [{ label: 7 }] }] });
    expect(open).toThrowError(
      expect.objectContaining({
        code: 'unreadable_input',
        advice: expect.stringContaining('/frames/0/boxes/0'),
      }),
    );
  });
});

describe('text in pictures', () => {
  it('never becomes markup, whatever a recording calls things', async () => {
    const hostile = '</text><image href="file:///etc/passwd"/>日本\u0000\ud800<script>&"\'';
    const svg = textSvg(hostile, [0, 0], { height: 9, colour: '#fff' });
    expect(svg.match(/<[a-z/]+/g)).toEqual(['<text', '</text']);
    expect(
      await sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${svg}</svg>`))
        .png()
        .toBuffer(),
    ).toBeInstanceOf(Buffer);
    const boxes = [{ label: hostile, score: 0.9, box: [20, 20, 30, 20] }];
    const { size } = await drawn('object_labels', { frames: [{ ...frame, boxes }] });
    expect(size).toEqual([400, 200]);
  });

  it('is strokes that any machine draws alike', () => {
    const svg = textSvg('Grüße’', [0, 0], { height: 9, colour: '#fff' });
    expect(svg).not.toContain('<text');
    expect(textWidth('iiii', 9)).toBeLessThan(textWidth('MMMM', 9));
  });

  it('is cut into lines that fit, and says that there was more', () => {
    const lines = wrapText('one two three four five six seven eight', 80, 9, 2);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(textWidth(line, 9)).toBeLessThanOrEqual(80);
    expect(lines[1]).toMatch(/\.\.\.$/);
    expect(wrapText('', 80, 9, 3)).toEqual([]);
    expect(fitText('short', 80, 9)).toBe('short');
  });
});

describe('colours', () => {
  it('are those of matplotlib’s viridis within a hundredth', () => {
    expect(far(viridis(0), [68, 1, 84])).toBeLessThan(5);
    expect(far(viridis(0.5), [33, 145, 140])).toBeLessThan(5);
    expect(far(viridis(1), [253, 231, 37])).toBeLessThan(5);
  });
});

/** Runs below 2^14 in the text form, each as it is: only the first three are not differences. */
function textOfRuns(runs: readonly number[]): string {
  const text: string[] = [];
  for (const run of runs)
    for (let rest = run, more = true; more; ) {
      const low = rest & 31;
      rest >>= 5;
      more = (low & 16) !== 0 ? rest !== -1 : rest !== 0;
      text.push(String.fromCharCode(48 + (more ? low | 32 : low)));
    }
  return text.join('');
}
