import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { setTimeout as pause } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LayerId } from '#core/api';
import { layers } from '#labels/annotation';
import { program } from '#test/support/program';
import { readRle } from '#test/support/read-rle';
import { treeHash } from '#test/support/tree-hash';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { openCodedVideo } from '../src/io/video/coded-video.ts';
import { viridis } from '../src/labels/annotation/overlays/colours.ts';
import type { Box } from '../src/labels/annotation/vision/detection.ts';
import type { Rle } from '../src/labels/annotation/vision/outliner.ts';
import { runAssay } from './run-assay.ts';
import { assessFolder } from './support/assessed-project.ts';
import { detectorEnv } from './support/bundled-detector.ts';
import { encodeVideo, x264 } from './support/encode-video.ts';
import { untilEnded } from './support/kills.ts';
import { movingPicture } from './support/moving-picture.ts';
import { rgbdMcap } from './support/rgbd-mcap.ts';
import { joinSharedService } from './support/shared-service.ts';
import { rounds } from './support/tiers.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-annotate-folder-'));
const service = await joinSharedService();
const { recordings } = service;
/** Those that need no weights. */
const own = layers.rows.flatMap(({ id, lane, needs }) =>
  lane !== null && needs.models.every(({ optional, surface }) => optional || surface === 'optical_flow')
    ? [id]
    : [],
);

beforeAll(async () => {
  await generateNumericSet(join(recordings, 'arms'), 5);
  mkdirSync(join(recordings, 'films'));
  await encodeVideo(join(recordings, 'films', 'kitchen.mp4'), 64, 48, movingPicture(64, 48, 60), x264);
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Listed {
  readonly layers: readonly { layer: LayerId; config_hash: string; episodes: Record<string, number> }[];
  readonly episodes: readonly {
    id: string;
    review?: { verdicts: Record<string, string>; path: string; sha256: string };
    receipt: string;
    layers: Record<
      string,
      {
        state: string;
        artifact_hash: string;
        input_hash: string;
        files: { name: string; path: string; sha256: string; bytes: number }[];
      }
    >;
  }[];
}

const knobs = { max_segments: 3 };
const annotate = (out: string, args: readonly string[] = []) =>
  runAssay([
    ...['annotate', recordings, '--layers', [...own, 'annotation_review'].join(), '--out', join(place, out)],
    ...['--config', 'segments.max_segments=3', '--json', ...args],
  ]);
const listOf = (out: string): Listed =>
  JSON.parse(readFileSync(join(place, out, 'annotations.json'), 'utf8'));
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('every file is what the list says, and any number of workers writes the same bytes', async () => {
  const [one, two] = await Promise.all([
    annotate('one', ['--workers', '1']),
    annotate('two', ['--workers', '2']),
  ]);
  expect([one.code, two.code], one.err + two.err).toEqual([0, 0]);
  expect(treeHash(join(place, 'one'))).toBe(treeHash(join(place, 'two')));
  const list = listOf('one');
  expect(list).toEqual(JSON.parse(one.out));
  expect(list.episodes).toHaveLength(6);
  const files = list.episodes.flatMap(({ layers }) =>
    Object.values(layers).flatMap((told) => told.files ?? []),
  );
  expect(files.length).toBeGreaterThan(6);
  for (const { path, sha256: hash } of files) expect(sha256(join(place, 'one', path))).toBe(hash);
  const written = readdirSync(join(place, 'one'), { recursive: true, withFileTypes: true });
  expect(written.filter((entry) => entry.isFile())).toHaveLength(files.length + 1);
}, 120_000);

test('a folder gives the artifacts that a service keeps for the same episodes and knobs, hash for hash', async () => {
  const list = listOf('one');
  const project = `/v1/projects/${await assessFolder(service, recordings)}`;
  const jobs = `${project}/annotation/jobs`;
  const started: string[] = [];
  for (const layer of own) {
    const config = layer === 'segments' ? { config: knobs } : {};
    const answer = await service.request('POST', jobs, { layer, force: true, ...config });
    started.push(answer.body.id);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  }
  for (const id of started)
    expect(await untilEnded(service, `${jobs}/${id}`)).toMatchObject({ status: 'succeeded' });
  const { items } = await service.ask('GET', `${project}/episodes`);
  let compared = 0;
  for (const { id, name } of items) {
    const here = list.episodes.find((one) => one.id === name);
    const kept = await service.ask('GET', `${project}/episodes/${id}/annotations`);
    for (const { layer, machine } of kept.items) {
      const told = here?.layers[layer];
      const { config_hash } = list.layers.find((one) => one.layer === layer) ?? {};
      expect({ ...told, config_hash }, `${name} ${layer}`).toMatchObject({
        ...{ state: 'done', artifact_hash: machine.artifact_hash, input_hash: machine.input_hash },
        ...{ config_hash: machine.config_hash, counts: machine.counts },
      });
      const parts = machine.parts.map(({ hash }: { hash: string }) => hash);
      expect(told?.files.map((file) => file.sha256)).toEqual([machine.artifact_hash, ...parts]);
      compared++;
    }
  }
  const done = list.layers
    .filter(({ layer }) => own.includes(layer))
    .reduce((sum, { episodes }) => sum + episodes.done, 0);
  expect(compared).toBe(done);
  expect(done).toBeGreaterThan(10);
}, 240_000);

test('killed at any moment it leaves nothing under its name, and the next run is whole', async () => {
  const home = join(place, 'home');
  mkdirSync(home);
  const out = join(home, 'made');
  const args = ['annotate', recordings, '--layers', 'segments,metadata', '--out', out];
  let killed = 0;
  for (const wait_ms of [0, 400, 1200].slice(0, rounds(1, 3))) {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    while (child.exitCode === null && !readdirSync(home).some((name) => name.includes('partial')))
      await pause(5);
    await pause(wait_ms);
    child.kill('SIGKILL');
    if ((await ended) === 0) break;
    killed++;
    expect(existsSync(out)).toBe(false);
  }
  expect(killed).toBeGreaterThan(0);
  if (!existsSync(out)) expect((await runAssay(args)).code).toBe(0);
  expect(readdirSync(home)).toEqual(['made']);
  expect(readdirSync(out).sort()).toEqual(['annotations.json', 'episodes']);
}, 120_000);

test('only the episodes that are named are annotated', async () => {
  const [first] = listOf('one').episodes;
  const some = await annotate('some', ['--episodes', first.id]);
  expect(some.code, some.err).toBe(0);
  expect(listOf('some').episodes).toEqual([first]);
}, 60_000);

test('a review says of every layer how good it is, with evidence', () => {
  const out = join(place, 'one');
  for (const { id, review } of listOf('one').episodes) {
    expect(review?.verdicts.metadata, id).toBe('good');
    expect(sha256(join(out, review?.path ?? ''))).toBe(review?.sha256);
    const { layers: told } = JSON.parse(readFileSync(join(out, review?.path ?? ''), 'utf8'));
    for (const { layer, verdict, evidence, not_held } of told) {
      expect(review?.verdicts[layer]).toBe(verdict);
      expect(verdict === 'not_assessable' ? not_held.length : evidence.length).toBeGreaterThan(0);
    }
  }
  const arms = listOf('one').episodes.filter(({ review }) => review?.verdicts.segments === 'good');
  expect(arms.length).toBeGreaterThan(0);
});

test('what cannot be done is refused before anything is written', async () => {
  writeFileSync(join(place, 'file'), 'not a folder');
  mkdirSync(join(place, 'empty'));
  mkdirSync(join(place, 'full'));
  writeFileSync(join(place, 'full', 'mine'), 'mine');
  const out = join(place, 'refused');
  const refused = async (args: readonly string[], code: number, said: RegExp) => {
    const ran = await runAssay(['annotate', ...args]);
    expect({ code: ran.code, said: ran.err.replaceAll(/\s+/g, ' ') }, args.join(' ')).toEqual({
      code,
      said: expect.stringMatching(said),
    });
    expect(existsSync(out)).toBe(false);
  };
  const here = [recordings, '--out', out];
  await refused([...here], 2, /no layer given/);
  await refused([...here, '--layers', 'no_such'], 2, /Unknown layer no_such/);
  await refused([...here, '--layers', 'representation_3d'], 2, /cannot run/);
  await refused([...here, '--layers', 'segments', '--config', 'speed=1'], 2, /no setting speed/);
  await refused([...here, '--layers', 'segments', '--config', 'max_segments=0'], 2, /from 1 to 200/);
  await refused([...here, '--layers', 'segments,metadata', '--config', 'x=1'], 2, /needs a layer name/);
  await refused([...here, '--layers', 'segments', '--episodes', 'nobody'], 2, /no episode named nobody/);
  await refused([...here, '--layers', 'segments', '--force'], 2, /require --project/);
  await refused([recordings, '--layers', 'segments'], 2, /add --out DIR/);
  await refused([recordings, '--layers', 'segments', '--out', join(place, 'full')], 2, /is not empty/);
  await refused(
    [recordings, '--layers', 'segments', '--out', join(recordings, 'in')],
    2,
    /inside the recordings/,
  );
  await refused([join(place, 'nowhere'), '--layers', 'segments', '--out', out], 3, /nowhere/);
  await refused([join(place, 'empty'), '--layers', 'segments', '--out', out], 3, /.*/);
  expect(readFileSync(join(place, 'full', 'mine'), 'utf8')).toBe('mine');
}, 120_000);

/** From 1 m at the left to 2 m at the right. */
describe('recorded depth', () => {
  const folder = join(place, 'depth-set');
  const [width, height] = [64, 48];
  beforeAll(async () => {
    mkdirSync(join(folder, 'depth'), { recursive: true });
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

  const annotate = (...args: string[]) =>
    runAssay(['annotate', join(folder, 'depth'), '--layers', 'depth', '--json', ...args]);

  test('is drawn by --overlay as a film of one episode, whole, and nothing over what is there', async () => {
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
    expect(again.err).toContain('already exists');
  }, 240_000);

  test('is drawn by --overlay as a folder of pictures, and it says which cameras there are', async () => {
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
  test('is shown by `assess --annotations` in the report, the same bytes each time, and nothing without', async () => {
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
    expect([wrong.code, wrong.err.includes('no annotations in')]).toEqual([2, true]);
  }, 240_000);
});

const videos = '../shared/data/video/decord';
describe.skipIf(!existsSync(videos))(
  'layers of pictures by bundled models (needs ../shared/data/video)',
  () => {
    beforeAll(async () => {
      mkdirSync(join(place, 'films'));
      copyFileSync(join(videos, 'examples/flipping_a_pancake.mkv'), join(place, 'films/pancake.mkv'));
      copyFileSync(join(videos, 'tests/test_data/video_90.mov'), join(place, 'films/turned.mov'));
      const wanted = 'object_labels,segmentation,segments,metadata';
      const args = ['annotate', join(place, 'films'), '--layers', wanted, '--out', join(place, 'seen')];
      const ran = await runAssay(args, { env: detectorEnv });
      expect(ran.code, ran.err).toBe(0);
    }, 300_000);

    /** Returns the layer's artifact of the episode whose id contains a name. */
    function artifact<T>(name: string, layer: LayerId): T {
      const told = listOf('seen').episodes.find(({ id }) => id.includes(name))?.layers[layer];
      expect(told?.state, `${layer} of ${name}`).toBe('done');
      return JSON.parse(readFileSync(join(place, 'seen', told!.files[0].path), 'utf8'));
    }

    test('find the cook in most frames, in px of the clip', () => {
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

    test('give pixels of the cook their class, inside the boxes of people', () => {
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

    test('tell of the pictures in facts, and cut the clip where it changes', () => {
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

    test('stand upright where the camera was turned', () => {
      const { frames } = artifact<{ frames: { width_px: number; height_px: number }[] }>(
        'turned',
        'object_labels',
      );
      for (const { width_px, height_px } of frames) expect(height_px).toBeGreaterThan(width_px);
    });
  },
);
