import {
  copyFileSync,
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layers } from '#labels/annotation';
import { treeHash } from '#test/support/tree-hash';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { runAssay } from './run-assay.ts';
import { detectorEnv } from './support/bundled-detector.ts';
import { encodeVideo, x264 } from './support/encode-video.ts';
import { movingPicture } from './support/moving-picture.ts';
import { rgbdMcap } from './support/rgbd-mcap.ts';

const hands = '../shared/data/images/coco-cobot-hands/test';
const place = mkdtempSync(join(tmpdir(), 'assay-test-annotate-workers-'));
const recordings = join(place, 'recordings');
const lanes = [...layers.rows.flatMap(({ id, lane }) => (lane === null ? [] : [id])), 'annotation_review'];

beforeAll(async () => {
  await generateNumericSet(join(recordings, 'arms'), 3);
  const films = join(recordings, 'films');
  mkdirSync(films);
  for (const [at, name] of ['kitchen.mp4', 'table.mp4'].entries())
    await encodeVideo(join(films, name), 64, 48, movingPicture(64, 48, 12 + 6 * at), x264);
  const [width, height] = [32, 24];
  const length = width * height;
  const frames = Array.from({ length: 3 }, (_, at) => ({
    time_s: at / 2,
    rgb: Uint8Array.from({ length: 3 * length }, (_, i) => (i * 7 + 31 * at) % 256),
    depth: Uint16Array.from({ length }, (_, i) => 400 + ((i + at) % 50)),
  }));
  for (const name of ['one', 'two']) {
    mkdirSync(join(recordings, name));
    const path = join(recordings, name, 'camera.mcap');
    writeFileSync(path, await rgbdMcap([width, height], [30, 0, 16, 0, 30, 12, 0, 0, 1], frames));
  }
  if (!existsSync(hands)) return;
  const pictures = readdirSync(hands).filter((name) => name.endsWith('.jpg'));
  mkdirSync(join(recordings, 'hands'));
  for (const name of pictures.slice(0, 2)) copyFileSync(join(hands, name), join(recordings, 'hands', name));
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Listed {
  readonly episodes: readonly {
    readonly layers: Readonly<Record<string, { readonly state: string; readonly artifact_hash?: string }>>;
  }[];
}

/** Hashes of all artifacts of a lane, episode by episode. */
const hashesOf = ({ episodes }: Listed, lane: string) =>
  episodes.map(({ layers: told }) => told[lane]?.artifact_hash ?? null);

test('every lane makes the same artifacts on one worker and on two', { timeout: 900_000 }, async () => {
  const made: Listed[] = [];
  for (const workers of ['1', '2']) {
    const out = join(place, workers);
    const ran = await runAssay(
      ['annotate', recordings, '--layers', lanes.join(), '--out', out, '--workers', workers].map(String),
      { env: detectorEnv },
    );
    expect(existsSync(join(out, 'annotations.json')), ran.err).toBe(true);
    made.push(JSON.parse(readFileSync(join(out, 'annotations.json'), 'utf8')));
  }
  for (const lane of lanes) {
    const hashes = hashesOf(made[0], lane);
    expect(hashes.filter((hash) => hash !== null).length, lane).toBeGreaterThan(0);
    expect(hashesOf(made[1], lane), lane).toEqual(hashes);
  }
  expect(treeHash(join(place, '1'))).toBe(treeHash(join(place, '2')));
});
