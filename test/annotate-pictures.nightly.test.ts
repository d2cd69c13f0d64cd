import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Box, boxIou } from '../src/labels/annotation/vision/detection.ts';
import { runAssay } from './run-assay.ts';
import { detectorEnv } from './support/bundled-detector.ts';

const videos = '../shared/data/video/decord';
const hands = '../shared/data/images/coco-cobot-hands/test';
const layers = ['tracks', 'body_pose'] as const;
const top = mkdtempSync(join(tmpdir(), 'assay-annotate-pictures-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

interface Listed {
  readonly episodes: readonly {
    readonly id: string;
    readonly layers: Record<string, { readonly state: string; readonly files: readonly { path: string }[] }>;
  }[];
}

/** Returns the layer's artifact of the episode whose id contains a name. */
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
      const where = ['--out', join(top, 'one'), '--workers', '2'];
      const ran = await runAssay(['annotate', join(top, 'films'), '--layers', layers.join(), ...where], {
        env: detectorEnv,
      });
      expect(ran.code, ran.err).toBe(0);
    }, 300_000);

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
      return own.some(({ box }) => boxIou(box, bbox) >= 0.3);
    });
    process.stdout.write(`hands found where they are labelled: ${found.length} of ${some.length}\n`);
    expect(found.length).toBeGreaterThanOrEqual(0.7 * some.length);
  });
});
