import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatPrices, type Role } from '#contract';
import { createServer, handlers } from '#http';
import { createMediaService } from '#media';
import { operations } from '#operations';
import { writeTeleopLeRobot, writeTeleopMcap } from '#samples';
import { closeFrameService, closeVideoService, getBudget, setBudget, startRun } from '#services';
import { openRunService, type RunService } from './support/run-service.ts';
import { callAs } from './support/service-call.ts';
import { testDatabases } from './support/service-store.ts';

/** Videos of episodes over HTTP, on recordings that were really judged. */
const folder = mkdtempSync(join(tmpdir(), 'assay-test-videos-'));
const real = resolve('../shared/data/lerobot-v21-g1-bottle');
const media = createMediaService({ children: 1 });
let service: RunService;
let server: FastifyInstance;

beforeAll(async () => {
  await writeTeleopLeRobot(join(folder, 'lerobot'), 7, () => {}, { episodes: 3, plan: {} });
  await writeTeleopMcap(join(folder, 'mcap'), 7, () => {}, { episodes: 1, plan: {} });
  service = await openRunService({
    roots: [folder, real],
    on: testDatabases.at(-1)!,
    prices: flatPrices(0.001),
  });
  const { tenant_id } = service.call.actor;
  server = await createServer({
    store: service.store,
    operations,
    handlers,
    authenticate: async (token) =>
      token === 'stranger' ? callAs('admin').actor : callAs(token as Role, tenant_id).actor,
    verify_answers: true,
  });
  await judge(join(folder, 'lerobot'));
  await judge(join(folder, 'mcap'));
});
afterAll(async () => {
  await server.close();
  await media.close();
  await closeFrameService(service.store);
  await closeVideoService(service.store);
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function judge(path: string): Promise<void> {
  const source_id = await service.source(path);
  const run = await startRun(service.store, service.call, { project_id: service.project_id, source_id });
  const { status } = await service.ended(run.id);
  if (!/^(succeeded|partial)$/.test(status)) throw new Error(status);
}

const get = (url: string, headers: Record<string, string> = {}, role = 'viewer') =>
  server.inject({ url, headers: { authorization: `Bearer ${role}`, ...headers } });
async function getJson(url: string) {
  const answer = await get(url);
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
  return answer.json();
}
const episodesOf = async (format: string) =>
  (await getJson(`/v1/projects/${service.project_id}/episodes?sort=name`)).items.filter(
    (one: { format: string }) => one.format === format,
  );
async function camerasOf(format: string, nth = 0) {
  const episode = (await episodesOf(format))[nth];
  return (await getJson(`/v1/episodes/${episode.id}/playback`)).cameras;
}
const linkOf = async (format: string, nth = 0): Promise<string> =>
  (await camerasOf(format, nth))[0].links.video;

/** What a decoder makes of an answer. */
async function decoded(body: Buffer) {
  const path = join(folder, 'answer.mp4');
  writeFileSync(path, body);
  const frames = {
    locator: { type: 'video', path, from_s: 0, to_s: null, expected_frames: null },
    declared_size_px: null,
    declared_codec: null,
  } as const;
  const wanted = { declared_rate_hz: null, expected_frames: null, thumbnails: 0, pictures: 'all' } as const;
  return media.examine({ root: '/', frames, ...wanted });
}

describe('what a player shows', () => {
  it('is cameras with their codecs and signals with every extreme', async () => {
    const [{ id }] = await episodesOf('lerobot');
    const playback = await getJson(`/v1/episodes/${id}/playback?width_px=50`);
    const { items } = await getJson(`/v1/episodes/${id}/streams`);
    expect(playback.cameras.map((one: { problem: unknown }) => one.problem)).not.toContain(undefined);
    for (const { stream_id, mime, frames, width_px, problem, part_s } of playback.cameras) {
      const stream = items.find((one: { id: string }) => one.id === stream_id);
      expect({ frames, problem, part_s }).toEqual({
        frames: stream.sample_count,
        problem: null,
        part_s: null,
      });
      expect(mime).toMatch(/^video\/mp4; codecs="/);
      expect(width_px).toBeGreaterThan(0);
    }
    expect(playback.signals.map((one: { stream_id: string }) => one.stream_id)).toContain('action');
    for (const { at } of playback.signals) expect(at.length).toBeLessThanOrEqual(50);
  });
});

describe('a video of an episode', () => {
  it.each([
    ['lerobot', 0, 'copied'],
    ['lerobot', 2, 'copied'],
    ['mcap', 0, 'encoded'],
  ])('of %s %i is %s, with every frame of the camera', async (format, nth, made) => {
    const [camera] = await camerasOf(format, nth);
    const answer = await get(camera.links.video);
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
    expect(answer.headers['x-video-made']).toBe(made);
    expect(answer.headers['content-type']).toMatch(/^video\/mp4; codecs="/);
    const { decodable, sampled } = await decoded(answer.rawPayload);
    expect(decodable).toBe('yes');
    expect([sampled.time_s.length, sampled.time_s[0]]).toEqual([camera.frames, 0]);
    const length_s = camera.last_s - camera.starts_s;
    expect(Math.abs((sampled.time_s.at(-1) ?? 0) - length_s)).toBeLessThan(0.002);
    expect(Number(answer.headers['x-video-starts-s'])).toBeCloseTo(camera.starts_s, 2);
  });

  it('is H.264 for browsers that ask for it, and a part where a part is asked for', async () => {
    const link = await linkOf('lerobot');
    const answer = await get(`${link}?codec=h264&from_s=1&until_s=2&width_px=64`);
    expect(answer.headers['content-type']).toMatch(/avc1/);
    expect(Number(answer.headers['x-video-starts-s'])).toBeCloseTo(1, 1);
    const { sampled, container } = await decoded(answer.rawPayload);
    expect(container?.codec).toBe('h264');
    expect(sampled.time_s.at(-1)).toBeLessThan(1);
    const part = await get(`${await linkOf('mcap')}?from_s=1&until_s=2`);
    expect(Number(part.headers['x-video-starts-s'])).toBeGreaterThanOrEqual(1);
    const ofTopic = await decoded(part.rawPayload);
    expect(ofTopic.sampled.time_s.length).toBeGreaterThan(5);
    expect(ofTopic.sampled.time_s.at(-1)).toBeLessThan(1);
  });

  it('is given in ranges, and not again to who has it', async () => {
    const link = await linkOf('lerobot');
    const whole = await get(link);
    const etag = String(whole.headers.etag);
    const part = await get(link, { range: 'bytes=10-19' });
    expect([part.statusCode, part.headers['content-range']]).toEqual([
      206,
      `bytes 10-19/${whole.rawPayload.length}`,
    ]);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(10, 20));
    const resumed = await get(link, { range: 'bytes=10-19', 'if-range': etag });
    expect(resumed.statusCode).toBe(206);
    expect((await get(link, { range: 'bytes=10-19', 'if-range': '"other"' })).statusCode).toBe(200);
    expect((await get(link, { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await get(link, { range: `bytes=${whole.rawPayload.length}-` })).statusCode).toBe(416);
    const head = await server.inject({
      method: 'HEAD',
      url: link,
      headers: { authorization: 'Bearer viewer' },
    });
    expect([head.headers['content-length'], head.headers['x-video-made']]).toEqual([
      String(whole.rawPayload.length),
      'copied',
    ]);
  });

  it('is made once for all who ask at once, and nothing else is left in the folder', async () => {
    const films = join(service.store.data_folder, 'films');
    const before = readdirSync(join(films, 'objects')).length;
    const link = `${await linkOf('mcap')}?width_px=100`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => get(link)));
    expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString('base64'))).size).toBe(1);
    expect(readdirSync(join(films, 'objects'))).toHaveLength(before + 1);
    expect(readdirSync(join(films, 'arriving'))).toEqual([]);
    const [mirror] = readdirSync(join(films, 'held'));
    expect(readdirSync(join(films, 'held', mirror))).toEqual([]);
  });

  it('is paid from the budget where it is coded, not where it is copied or was made before', async () => {
    const { store, call } = service;
    const link = `${await linkOf('mcap')}?width_px=90`;
    await setBudget(store, callAs('admin', call.actor.tenant_id), { cap_usd: 0 });
    const refused = await get(link);
    expect([refused.statusCode, refused.json().code]).toEqual([402, 'budget_exceeded']);
    expect((await get(`${await linkOf('lerobot')}?until_s=1`)).statusCode).toBe(200);
    await setBudget(store, callAs('admin', call.actor.tenant_id), { cap_usd: null });
    const spent = async () => (await getBudget(store, call)).spent_usd;
    const before = await spent();
    expect((await get(link)).statusCode).toBe(200);
    const after = await spent();
    expect(after).toBeGreaterThan(before);
    expect((await getBudget(store, call)).reserved_usd).toBe(0);
    await get(link);
    expect(await spent()).toBe(after);
  });

  it('is not there for others, for streams without pictures, or for a recording that is gone', async () => {
    const [{ id }] = await episodesOf('lerobot');
    const link = await linkOf('lerobot');
    for (const url of [link, `/v1/episodes/${id}/playback`])
      expect((await get(url, {}, 'stranger')).statusCode).toBe(404);
    const numbers = await get(`/v1/episodes/${id}/videos/action`);
    expect([numbers.statusCode, numbers.json().code]).toEqual([404, 'not_found']);
    const beyond = await get(`${link}?from_s=5000`);
    expect([beyond.statusCode, beyond.json().code]).toEqual([422, 'media_failed']);
    const backwards = await get(`${link}?from_s=2&until_s=1`);
    expect([backwards.statusCode, backwards.json().code]).toEqual([422, 'invalid_request']);
    expect(readdirSync(join(service.store.data_folder, 'films', 'arriving'))).toEqual([]);
  });
});

const isReal = ({ problem, stream_id }: { problem: string | null; stream_id: string }) =>
  problem === null && /cam_/.test(stream_id);

describe.skipIf(!existsSync(real))(
  'videos of a real set (needs ../shared/data/lerobot-v21-g1-bottle)',
  () => {
    it('are its own packets', async () => {
      await judge(real);
      const episodes = await getJson(`/v1/projects/${service.project_id}/episodes?sort=name&limit=200`);
      // Not every episode of the copy at hand has its videos.
      const there = [];
      for (const { id } of episodes.items) {
        const { cameras } = await getJson(`/v1/episodes/${id}/playback?width_px=20`);
        there.push(...cameras.filter(isReal));
      }
      expect(there.length).toBeGreaterThan(1);
      for (const camera of there) {
        const answer = await get(camera.links.video);
        expect(answer.headers['x-video-made']).toBe('copied');
        const { sampled } = await decoded(answer.rawPayload);
        expect([sampled.time_s.length, sampled.time_s[0]]).toEqual([camera.frames, 0]);
      }
    }, 240_000);
  },
);
