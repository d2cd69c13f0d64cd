import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#core';
import type { Role } from '#core/api';
import { operations } from '#core/api/operations';
import { createServer, handlers } from '#service/http';
import { closeFrameService, setAnnotationSettings, startRun } from '#service/operations';
import { colourByName, viridis } from '../src/labels/annotation/overlays/colours.ts';
import { addAnnotations } from './support/annotation-rows.ts';
import { bundledDetector } from './support/bundled-detector.ts';
import { rgbdMcap } from './support/rgbd-mcap.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { callAs } from './support/service-call.ts';
import { availableDatabases } from './support/service-store.ts';
import { rounds } from './support/tiers.ts';

const pancake = '../shared/data/video/decord/examples/flipping_a_pancake.mkv';
const folder = mkdtempSync(join(tmpdir(), 'assay-test-overlays-'));
const [width, height] = [64, 48];
let service: RunService;
let server: FastifyInstance;

/** A floor that goes from 1 m at the left to 2 m at the right, without depth in the middle rows. */
const depthFrame = (time_s: number) => ({
  time_s,
  rgb: new Uint8Array(3 * width * height).fill(120),
  depth: Uint16Array.from({ length: width * height }, (_, i) =>
    Math.floor(i / width) === height / 2 ? 0 : 1000 + Math.round((1000 * (i % width)) / (width - 1)),
  ),
});

beforeAll(async () => {
  for (const name of ['film', 'depth']) mkdirSync(join(folder, name));
  if (existsSync(pancake)) copyFileSync(pancake, join(folder, 'film', 'pancake.mkv'));
  const frames = [0, 0.5, 1].map(depthFrame);
  const k = [60, 0, 32, 0, 60, 24, 0, 0, 1];
  writeFileSync(join(folder, 'depth', 'camera.mcap'), await rgbdMcap([width, height], k, frames));
  service = await openRunService({ roots: [folder], on: availableDatabases.at(-1)! });
  const models = { detection: bundledDetector };
  await setAnnotationSettings(service.store, service.call, { project_id: service.project_id, models });
  const { tenant_id } = service.call.actor;
  server = await createServer({
    store: service.store,
    operations,
    handlers,
    authenticate: async (token) =>
      token === 'stranger' ? callAs('admin').actor : callAs(token as Role, tenant_id).actor,
    verify_answers: true,
  });
}, 240_000);
afterAll(async () => {
  await server?.close();
  await closeFrameService(service.store);
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}, role = 'viewer') =>
  server.inject({ url, headers: { authorization: `Bearer ${role}`, ...headers } });

/** Runs a folder; gives where its only episode is, and what a layer then says of it. */
async function episodeIn(name: string) {
  const source_id = await service.source(join(folder, name));
  const { project_id } = service;
  const run = await startRun(service.store, service.call, { project_id, source_id });
  expect((await service.ended(run.id)).status).toMatch(/^(succeeded|partial)$/);
  const episodes = (await get(`/v1/projects/${project_id}/episodes?source_id=${source_id}`)).json();
  const own = `/v1/projects/${project_id}/episodes/${episodes.items[0].id}`;
  const annotate = async (layer: string) => {
    const answer = await server.inject({
      method: 'POST',
      url: `${own}/annotations/${layer}`,
      headers: { authorization: 'Bearer engineer' },
      payload: { force: true },
    });
    expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
    return answer.json().machine.artifact;
  };
  return { id: episodes.items[0].id, own, annotate, overlay: (query: string) => `${own}/overlay?${query}` };
}

async function pixelsOf(png: Buffer) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const [column, row] = [Math.round(x), Math.round(y)];
    return [...data.subarray(3 * (row * info.width + column), 3 * (row * info.width + column) + 3)];
  };
  return { at, width: info.width, height: info.height };
}
const far = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));

describe.skipIf(!existsSync(pancake))('layers over the pancake clip (needs ../shared/data/video)', () => {
  let film: Awaited<ReturnType<typeof episodeIn>>;
  beforeAll(async () => {
    film = await episodeIn('film');
  }, 120_000);

  // The detector takes most of this file's time; `test/annotate-folder.e2e.test.ts` proves its boxes before a change lands.
  it.runIf(rounds(0, 1) === 1)(
    'are boxes in the colour of their class, where the lane found them, over that very frame',
    async () => {
      const { frames } = await film.annotate('object_labels');
      const frame = frames.find(({ boxes }: { boxes: readonly unknown[] }) => boxes.length === 1);
      const [{ label, box }] = frame.boxes;
      const wide = 852;
      const query = `layer=object_labels&t=${frame.time_s + 0.2}&width_px=${wide}`;
      const answer = await get(film.overlay(query));
      expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
      expect(answer.headers['content-type']).toBe('image/png');
      expect(Math.abs(Number(answer.headers['x-frame-time-s']) - frame.time_s)).toBeLessThan(2e-3);
      const drawn = await pixelsOf(answer.rawPayload);
      expect([drawn.width, drawn.height]).toEqual([wide, Math.round((wide * 240) / 426)]);
      const scale = wide / frame.width_px;
      const [left, top, w, h] = box.map((px: number) => px * scale);
      const shares = Array.from({ length: 40 }, (_, i) => 0.15 + (0.7 * i) / 39);
      const edges = [left, left + w]
        .filter((x) => x > 3 && x < wide - 3)
        // A line of two px stands on both sides of the edge.
        .flatMap((x) => shares.map((share) => drawn.at(Math.floor(x - 0.4), top + share * h)));
      expect(edges.length).toBeGreaterThan(0);
      const coloured = edges.filter((pixel) => far(pixel, colourByName(label)) < 40);
      expect(coloured.length).toBe(edges.length);
      const plain = await get(
        `/v1/episodes/${film.id}/frames/video?at_s=${frame.time_s + 0.001}&width_px=426`,
      );
      const beneath = await pixelsOf(await sharp(plain.rawPayload).resize(wide).png().toBuffer());
      const inside = shares.map((share) => [left + w / 2, top + share * h] as const);
      const away = inside.map(([x, y]) => far(drawn.at(x, y), beneath.at(x, y)));
      expect(away.filter((by) => by < 40).length).toBeGreaterThan(0.9 * away.length);
    },
    120_000,
  );

  it('are words on a strip, and segments a bar with where the picture is', async () => {
    await film.annotate('captions');
    await film.annotate('segments');
    const images = [];
    for (const query of ['layer=captions&t=1', 'layer=segments&t=1', 'layer=segments&t=9']) {
      const answer = await get(film.overlay(query));
      expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
      images.push(answer.rawPayload);
    }
    for (const image of images) {
      const { at, width: wide, height: high } = await pixelsOf(image);
      const band = Array.from({ length: wide }, (_, x) => at(x, high - 1));
      expect(band.filter((pixel) => Math.max(...pixel) < 120).length).toBeGreaterThan(0.9 * wide);
    }
    expect(images[1].equals(images[2])).toBe(false);
  }, 120_000);

  it('are not drawn again for who has the picture', async () => {
    const url = film.overlay('layer=segments&t=2');
    const { headers } = await get(url);
    const again = await get(url, { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const other = await get(film.overlay('layer=segments&t=3'));
    expect(other.headers.etag).not.toBe(headers.etag);
  });

  it('are refused with what to do', async () => {
    const refused = async (query: string, role = 'viewer') => {
      const { code, status, advice } = (await get(film.overlay(query), {}, role)).json();
      return { code, status, advice };
    };
    expect(await refused('layer=depth')).toMatchObject({
      ...{ code: 'not_found', status: 404 },
      advice: expect.stringContaining('annotations/depth'),
    });
    expect(await refused('layer=segments&camera=wrist')).toMatchObject({
      ...{ code: 'not_found', status: 404 },
      advice: expect.stringContaining('video'),
    });
    for (const t of ['-0.1', '99', 'NaN'])
      expect(await refused(`layer=segments&t=${t}`)).toMatchObject({ code: 'invalid_request', status: 422 });
    expect(await refused('layer=lidar')).toMatchObject({ code: 'invalid_request', status: 422 });
    expect(await refused('layer=segments', 'stranger')).toMatchObject({ code: 'not_found', status: 404 });
    const file = join(folder, 'film', 'pancake.mkv');
    renameSync(file, `${file}.away`);
    const gone = await refused('layer=segments&t=4.5');
    renameSync(`${file}.away`, file);
    expect(gone).toMatchObject({ code: 'not_found', status: 404 });
  });
});

/** Keeps an artifact of a depth map as a lane leaves it: with its part behind it in one blob. */
async function keepDepth(episode_id: string, camera: string): Promise<void> {
  const { store, project_id, call } = service;
  const { tenant_id } = call.actor;
  await addAnnotations(store, { tenant_id, project_id }, { layer: 'depth', qualities: [1] }, [episode_id]);
  const raw = { width, height, channels: 1 } as const;
  const png = await sharp(depthFrame(0).depth, { raw }).toColourspace('grey16').png().toBuffer();
  const frame = { time_s: 0, width_px: width, height_px: height, scale: 0.001, offset: 0, part: 'depth.png' };
  const json = Buffer.from(
    JSON.stringify({ cameras: [{ camera, unit: 'm', kind: 'recorded', frames: [frame] }] }),
  );
  await store.blobs.put('test/depth', Buffer.concat([json, png]));
  const place = { offset: json.length, length: png.length, hash: sha256(png) };
  const parts = [{ name: 'depth.png', media_type: 'image/png', ...place }];
  await store.database.query(
    `UPDATE annotations SET artifact_blob = 'test/depth', artifact_length = $1, artifact_hash = $2, parts = $3::jsonb
     WHERE episode_id = $4`,
    [json.length, sha256(json), JSON.stringify(parts), episode_id],
  );
}

describe('depth', () => {
  it('is colours from near to far, and black where there is none', async () => {
    const recording = await episodeIn('depth');
    await keepDepth(recording.id, '/camera/depth/image_rect_raw');
    const answer = await get(recording.overlay('layer=depth&t=0.7&width_px=640'));
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
    const { at, width: wide, height: high } = await pixelsOf(answer.rawPayload);
    expect([wide, high]).toEqual([640, 480]);
    for (const [x, share] of [
      [100, 0.15],
      [320, 0.5],
      [540, 0.85],
    ] as const)
      expect(far(at(x, 100), viridis(share))).toBeLessThan(25);
    expect(Math.max(...at(320, 245))).toBeLessThan(30);
    expect(Number(answer.headers['x-frame-time-s'])).toBe(0);
  }, 120_000);
});
