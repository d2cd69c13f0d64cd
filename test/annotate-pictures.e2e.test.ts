import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRle } from '#test/support/read-rle';
import { type Box, overlap } from '../src/annotation/detection/boxes.ts';
import type { Rle } from '../src/annotation/masks/rle.ts';
import { runAssay } from './run-assay.ts';

const videos = '../shared/data/video/decord';
const hands = '../shared/data/images/coco-cobot-hands/test';
const layers = ['object_labels', 'tracks', 'body_pose', 'segmentation', 'segments', 'metadata'] as const;
const top = mkdtempSync(join(tmpdir(), 'assay-annotate-pictures-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

interface Listed {
  readonly episodes: readonly {
    readonly id: string;
    readonly layers: Record<string, { readonly state: string; readonly files: readonly { path: string }[] }>;
  }[];
}

/** What a layer says of the episode whose id holds a name. */
function artifact<T>(name: string, layer: (typeof layers)[number]): T {
  const list: Listed = JSON.parse(readFileSync(join(top, 'one', 'annotations.json'), 'utf8'));
  const told = list.episodes.find(({ id }) => id.includes(name))?.layers[layer];
  expect(told?.state, `${layer} of ${name}`).toBe('done');
  return JSON.parse(readFileSync(join(top, 'one', told!.files[0].path), 'utf8'));
}

describe.skipIf(!existsSync(videos))(
  'layers of pictures by bundled models (needs ../shared/data/video)',
  () => {
    beforeAll(async () => {
      mkdirSync(join(top, 'films'));
      copyFileSync(join(videos, 'examples/flipping_a_pancake.mkv'), join(top, 'films/pancake.mkv'));
      copyFileSync(join(videos, 'tests/test_data/video_90.mov'), join(top, 'films/turned.mov'));
      const where = ['--out', join(top, 'one'), '--workers', '2'];
      const ran = await runAssay(['annotate', join(top, 'films'), '--layers', layers.join(), ...where]);
      expect(ran.code, ran.err).toBe(0);
    }, 300_000);

    it('find the cook in most frames, in px of the clip', () => {
      const { frames } = artifact<{
        frames: { width_px: number; height_px: number; boxes: { label: string; box: number[] }[] }[];
      }>('pancake', 'object_labels');
      expect(frames.length).toBeGreaterThanOrEqual(10);
      for (const { width_px, height_px } of frames) expect([width_px, height_px]).toEqual([426, 240]);
      const people = frames.flatMap(({ boxes }) =>
        boxes.filter(({ label }) => label === 'person').slice(0, 1),
      );
      expect(people.length).toBeGreaterThan(0.8 * frames.length);
      for (const { box } of people) expect(box[3]).toBeGreaterThan(180);
    });

    it('follow the cook through the clip', () => {
      const { cameras } = artifact<{
        cameras: {
          follows: string;
          frames: { row: number[] };
          tracks: { label: string; frame: number[] }[];
        }[];
      }>('pancake', 'tracks');
      expect(cameras.map(({ follows }) => follows)).toEqual(['objects']);
      const [{ frames, tracks }] = cameras;
      expect(frames.row.length).toBeGreaterThan(90);
      const people = tracks.filter(({ label }) => label === 'person').map(({ frame }) => frame.length);
      expect(Math.max(...people)).toBeGreaterThan(0.3 * frames.row.length);
    });

    it('give the cook 17 points, the head above the hips', () => {
      const { frames, keypoints } = artifact<{
        keypoints: string[];
        frames: { height_px: number; people: { keypoints: [number, number, number][] }[] }[];
      }>('pancake', 'body_pose');
      expect(keypoints[0]).toBe('nose');
      const people = frames.flatMap((frame) => frame.people.slice(0, 1));
      expect(people.length).toBeGreaterThan(0.7 * frames.length);
      const upright = people.filter(
        ({ keypoints: points }) => points[0][1] < (points[11][1] + points[12][1]) / 2,
      );
      expect(upright.length).toBeGreaterThan(0.8 * people.length);
      for (const { keypoints: points } of people) expect(points).toHaveLength(17);
    });

    it('give pixels of the cook their class, inside the boxes of people', () => {
      const { frames } = artifact<{
        frames: { row: number; height_px: number; labels: { label: string; pixels: number; rle: Rle }[] }[];
      }>('pancake', 'segmentation');
      const labelled = artifact<{ frames: { row: number; boxes: { label: string; box: Box }[] }[] }>(
        'pancake',
        'object_labels',
      );
      const cooks = frames.flatMap((frame) => {
        const person = frame.labels.find(({ label }) => label === 'person');
        return person === undefined ? [] : [{ ...person, row: frame.row, height_px: frame.height_px }];
      });
      expect(cooks.length).toBeGreaterThan(0.6 * frames.length);
      for (const { pixels, rle, row, height_px } of cooks) {
        const bits = readRle(rle);
        expect(bits.reduce((sum, bit) => sum + bit, 0)).toBe(pixels);
        const boxes = labelled.frames.find((frame) => frame.row === row)?.boxes ?? [];
        const isInside = (at: number) =>
          boxes.some(({ label, box: [left, top, width, height] }) => {
            const [x, y] = [Math.floor(at / height_px), at % height_px];
            const [across, down] = [x - left, y - top];
            return label === 'person' && across > -1 && down > -1 && across <= width && down <= height;
          });
        expect(bits.every((bit, at) => bit === 0 || isInside(at))).toBe(true);
      }
    });

    it('tell of the pictures in facts, and cut the clip where it changes', () => {
      const { facts } = artifact<{ facts: Record<string, { status: string; value: unknown }> }>(
        'pancake',
        'metadata',
      );
      expect(facts.people_seen.value).toMatchObject({
        by: 'object_labels',
        most_at_once: expect.any(Number),
      });
      expect(facts.camera_motion.value).toMatchObject([{ moving_fraction: 0 }]);
      const { motion, segments } = artifact<{ motion: { role: string }; segments: unknown[] }>(
        'pancake',
        'segments',
      );
      expect(motion.role).toBe('camera');
      expect(segments.length).toBeGreaterThan(2);
    });

    it('stand upright where the camera was turned', () => {
      const { frames } = artifact<{ frames: { width_px: number; height_px: number }[] }>(
        'turned',
        'object_labels',
      );
      for (const { width_px, height_px } of frames) expect(height_px).toBeGreaterThan(width_px);
    });
  },
);

interface Labels {
  readonly images: readonly { readonly id: number; readonly file_name: string }[];
  readonly annotations: readonly { readonly image_id: number; readonly bbox: Box }[];
}

describe.skipIf(!existsSync(hands))('hand_pose on pictures of hands (needs ../shared/data/images)', () => {
  it('finds 7 of 10 hands where they are labelled', { timeout: 300_000 }, async () => {
    const { images, annotations }: Labels = JSON.parse(
      readFileSync(join(hands, '_annotations.coco.json'), 'utf8'),
    );
    const folder = join(top, 'hands');
    mkdirSync(folder, { recursive: true });
    const some = images.filter((_, at) => at % 4 === 0);
    for (const { file_name } of some) copyFileSync(join(hands, file_name), join(folder, file_name));
    const out = join(top, 'hands-out');
    const ran = await runAssay(['annotate', folder, '--layers', 'hand_pose', '--out', out]);
    expect(ran.code, ran.err).toBe(0);
    const { episodes }: Listed = JSON.parse(readFileSync(join(out, 'annotations.json'), 'utf8'));
    const found = some.filter(({ id, file_name }) => {
      const { bbox } = annotations.find(({ image_id }) => image_id === id)!;
      const episode = episodes.find((one) => one.id.includes(file_name.slice(0, 36)))!;
      const told: { frames: { hands: { box: Box; handedness: string; keypoints: unknown[] }[] }[] } =
        JSON.parse(readFileSync(join(out, episode.layers.hand_pose.files[0].path), 'utf8'));
      const own = told.frames.flatMap((frame) => frame.hands);
      for (const { keypoints } of own) expect(keypoints).toHaveLength(21);
      return own.some(({ box }) => overlap(box, bbox) >= 0.3);
    });
    process.stdout.write(`hands found where they are labelled: ${found.length} of ${some.length}\n`);
    expect(found.length).toBeGreaterThanOrEqual(0.7 * some.length);
  });
});
