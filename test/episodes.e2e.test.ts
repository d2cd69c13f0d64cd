import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { flatPrices, type Role } from '#core/api';
import { operations } from '#core/api/operations';
import { createMediaService } from '#io/media';
import { createServer, handlers } from '#service/http';
import { closeFrameService, closeVideoService, getBudget, setBudget, startRun } from '#service/operations';
import { generatedPictures } from './support/generated-pictures.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { callAs } from './support/service-call.ts';
import { availableDatabases } from './support/service-store.ts';
import { rounds } from './support/tiers.ts';

/** The read side of the service over HTTP, on recordings that were really judged. */
const folder = mkdtempSync(join(tmpdir(), 'assay-test-episodes-'));
const real = resolve('../shared/data/lerobot-v21-g1-bottle');
const media = createMediaService({ children: 1 });
let service: RunService;
let server: FastifyInstance;

beforeAll(async () => {
  await writeTeleopLeRobot(join(folder, 'lerobot'), 7, () => {}, {
    episodes: 3,
    plan: { 1: ['frozen_state', 'large'] },
  });
  await writeTeleopMcap(join(folder, 'mcap'), 7, () => {}, { episodes: 2, plan: {} });
  await generatedPictures(join(folder, 'pictures'), 3);
  writeFileSync(join(folder, 'mcap', 'broken.mcap'), 'no recording');
  writeFileSync(join(folder, 'pictures', 'notes.xyz'), 'not read by anybody');
  // The embedded database is what most of the other tests run on.
  service = await openRunService({
    roots: [folder, real],
    on: availableDatabases.at(-1)!,
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
  for (const set of ['lerobot', 'mcap', 'pictures']) await judge(join(folder, set));
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
const getJson = async (url: string) => {
  const answer = await get(url);
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
  return answer.json();
};
const list = (query = '') => getJson(`/v1/projects/${service.project_id}/episodes?sort=name&${query}`);
const episodeOf = async (format: string, nth = 0) =>
  (await list()).items.filter((one: { format: string }) => one.format === format)[nth];
const cameraOf = async (id: string) => {
  const { items } = await getJson(`/v1/episodes/${id}/streams`);
  return items.find(({ links }: { links: { frames: string | null } }) => links.frames !== null);
};

describe('an episode', () => {
  it('has everything its receipt says, and links that lead somewhere', async () => {
    const { id } = await episodeOf('lerobot', 1);
    const episode = await getJson(`/v1/episodes/${id}`);
    expect(episode.kind).toBe('teleop');
    expect(episode.kind_facts).toMatchObject({ from: 'streams', judged_as: 'teleop', by_streams: 'teleop' });
    expect(episode.kind_facts.evidence.length).toBeGreaterThan(0);
    expect(episode.flag_details.map((flag: { code: string }) => flag.code)).toEqual(episode.flags);
    expect(episode.flag_details[0].message).toMatch(/\d/);
    expect(episode.flag_details[0].marks.length).toBeGreaterThan(0);
    expect(episode.views.integrity.checks.length).toBeGreaterThan(3);
    expect(episode.views.utility.signals.map((one: { signal: string }) => one.signal)).toContain('actions');
    expect(episode.review).toBeNull();
    for (const link of Object.values(episode.links)) expect((await get(link as string)).statusCode).toBe(200);
  });

  it('has a receipt that is what its hash says, also of an earlier run', async () => {
    const episode = await episodeOf('lerobot');
    const { receipt } = await getJson(`/v1/episodes/${episode.id}`);
    const answer = await get(`/v1/episodes/${episode.id}/receipt`);
    expect(answer.headers).toMatchObject({
      etag: `"${receipt.content_hash}"`,
      'content-type': 'application/json',
    });
    const unsealed = answer.body.replace(`"content_hash":"${receipt.content_hash}",`, '');
    expect(createHash('sha256').update(unsealed).digest('hex')).toBe(receipt.content_hash);
    const again = await get(`/v1/episodes/${episode.id}/receipt`, {
      'if-none-match': `"${receipt.content_hash}"`,
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const same = await get(`/v1/episodes/${episode.id}/receipt?run_id=${episode.run_id}`);
    expect(same.body).toBe(answer.body);
    const other = await episodeOf('mcap');
    expect((await get(`/v1/episodes/${episode.id}/receipt?run_id=${other.run_id}`)).statusCode).toBe(404);
  });

  it('is not there for another tenant', async () => {
    const { id } = await episodeOf('lerobot');
    for (const path of ['', '/receipt', '/streams', '/reviews', '/streams/action', '/frames/x'])
      expect((await get(`/v1/episodes/${id}${path}`, {}, 'stranger')).statusCode, path).toBe(404);
  });
});

describe('a review', () => {
  const post = (id: string, body: unknown, role = 'reviewer') =>
    server.inject({
      method: 'POST',
      url: `/v1/episodes/${id}/reviews`,
      payload: JSON.stringify(body),
      headers: { authorization: `Bearer ${role}`, 'content-type': 'application/json' },
    });

  it('counts until the next one, in lists too, and needs a reviewer', async () => {
    const { id, receipt_id } = await episodeOf('mcap', 1);
    expect((await post(id, { decision: 'accept' }, 'viewer')).statusCode).toBe(403);
    const first = await post(id, { decision: 'reject', note: 'the gripper slips', receipt_id });
    expect(first.json()).toMatchObject({
      decision: 'reject',
      note: 'the gripper slips',
      current: true,
      receipt_id,
    });
    await post(id, { decision: 'accept' });
    const { items } = await getJson(`/v1/episodes/${id}/reviews`);
    expect(items.map((one: { decision: string }) => one.decision)).toEqual(['accept', 'reject']);
    expect((await list('review_decision=accept')).items.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await getJson(`/v1/episodes/${id}`)).review).toMatchObject({ decision: 'accept' });
  });

  it('of a receipt that is no longer the episode’s is refused with the one that is', async () => {
    const { id, receipt_id } = await episodeOf('mcap');
    const stale = (await episodeOf('lerobot')).receipt_id;
    const answer = await post(id, { decision: 'accept', receipt_id: stale });
    expect([answer.statusCode, answer.json().receipt_id]).toEqual([409, receipt_id]);
  });
});

describe('streams', () => {
  it('come in as many columns as asked for, with the extremes of all', async () => {
    const { id, duration_s } = await episodeOf('lerobot');
    const whole = await getJson(`/v1/episodes/${id}/streams/action?width_px=4000`);
    const narrow = await getJson(`/v1/episodes/${id}/streams/action?width_px=20`);
    expect(whole.axis).toBe('time_s');
    expect(whole.to).toBeLessThanOrEqual(duration_s);
    expect(whole.rows).toBe(whole.total_rows);
    expect(whole.at).toHaveLength(whole.rows);
    expect(narrow.at).toHaveLength(20);
    for (const [k, { min, max, name }] of narrow.dimensions.entries()) {
      expect(name).toBe(whole.dimensions[k].name);
      expect(Math.min(...min)).toBe(Math.min(...whole.dimensions[k].min));
      expect(Math.max(...max)).toBe(Math.max(...whole.dimensions[k].max));
    }
  });

  it('come by window and by dimension', async () => {
    const { id } = await episodeOf('mcap');
    const { items } = await getJson(`/v1/episodes/${id}/streams`);
    const state = items.find((one: { role: string }) => one.role === 'state');
    const part = await getJson(`${state.links.samples}?from_s=1&to_s=2&dimension=2,0`);
    expect([part.from, part.to]).toEqual([1, 2]);
    expect(part.rows).toBeLessThan(part.total_rows);
    expect(part.at.every((at: number) => at >= 1 && at <= 2)).toBe(true);
    expect(part.dimensions.map((one: { index: number }) => one.index)).toEqual([2, 0]);
  });

  it('refuse windows and dimensions that make no sense, and streams that are not there', async () => {
    const { id } = await episodeOf('lerobot');
    const own = `/v1/episodes/${id}/streams/action`;
    const backwards = await get(`${own}?from_s=2&to_s=1`);
    expect([backwards.statusCode, backwards.json().errors[0].pointer]).toEqual([422, '/query/to_s']);
    expect((await get(`${own}?dimension=99`)).statusCode).toBe(422);
    expect((await get(`/v1/episodes/${id}/streams/nothing`)).statusCode).toBe(404);
  });
});

describe.each(['lerobot', 'mcap', 'pictures'])('a frame of a %s recording', (format) => {
  const frame = async (query: string, headers: Record<string, string> = {}) => {
    const { id } = await episodeOf(format);
    const camera = await cameraOf(id);
    return get(`${camera.links.frames}?${query}`, headers);
  };

  it('is a picture of the width asked for, at most', async () => {
    const answer = await frame('at_s=0.5&width_px=64');
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
    expect(answer.headers['content-type']).toBe('image/jpeg');
    const { width, format: kind } = await sharp(answer.rawPayload).metadata();
    expect([width, kind]).toEqual([64, 'jpeg']);
    const time_s = Number(answer.headers['x-frame-time-s']);
    expect(time_s).toBeLessThanOrEqual(0.5);
    expect(time_s).toBeGreaterThanOrEqual(0);
  });

  it('is the same for who has it already, without being decoded', async () => {
    const { headers } = await frame('at_s=0.5&width_px=64');
    const again = await frame('at_s=0.5&width_px=64', { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('frames', () => {
  it('follow one another as they were recorded', async () => {
    for (const format of ['lerobot', 'mcap']) {
      const { id } = await episodeOf(format);
      const camera = await cameraOf(id);
      const { at } = await getJson(`${camera.links.samples}?width_px=4000`);
      const times: number[] = [];
      for (const row of [0, 1, 2, 10, 11]) {
        const answer = await get(`${camera.links.frames}?at_s=${at[row] + 1e-4}&width_px=32`);
        times.push(Number(answer.headers['x-frame-time-s']));
      }
      for (const [i, row] of [0, 1, 2, 10, 11].entries()) expect(times[i]).toBeCloseTo(at[row], 3);
    }
  });

  it('at once are all answered, or told to come again', async () => {
    const { id } = await episodeOf('lerobot');
    const camera = await cameraOf(id);
    const asked = Array.from({ length: 80 }, (_, i) =>
      get(`${camera.links.frames}?at_s=${i / 40}&width_px=33`),
    );
    const answers = await Promise.all(asked);
    const statuses = new Set(answers.map(({ statusCode }) => statusCode));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    for (const { statusCode, headers } of answers)
      if (statusCode === 503) expect(headers['retry-after']).toBe('1');
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(30);
  });

  it('of what is no camera, or was never there, are not found', async () => {
    const { id } = await episodeOf('lerobot');
    for (const stream of ['action', 'nothing', '..%2F..%2Fetc%2Fpasswd']) {
      const answer = await get(`/v1/episodes/${id}/frames/${stream}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
    }
  });

  it('of a recording that was changed or is gone say so', async () => {
    const { id, dataset_path } = await episodeOf('pictures', 1);
    const camera = await cameraOf(id);
    const { locator } = await getJson(`/v1/episodes/${id}`);
    const file = join(folder, 'pictures', dataset_path, locator.path);
    const url = (width: number) => `${camera.links.frames}?width_px=${width}`;
    expect((await get(url(40))).statusCode).toBe(200);
    renameSync(file, `${file}.away`);
    expect((await get(url(41))).json()).toMatchObject({
      status: 404,
      detail: expect.stringContaining(locator.path),
    });
    writeFileSync(file, 'another picture');
    expect((await get(url(42))).json()).toMatchObject({ status: 409, code: 'conflict' });
    renameSync(`${file}.away`, file);
    expect((await get(url(43))).statusCode).toBe(200);
  });
});

describe('a project', () => {
  it('lists findings of its recordings, worst first, page by page', async () => {
    const own = `/v1/projects/${service.project_id}/findings`;
    const { items } = await getJson(own);
    expect(items.length).toBeGreaterThan(1);
    const ranks = items.map(({ severity }: { severity: string }) =>
      ['error', 'warning', 'info'].indexOf(severity),
    );
    expect(ranks).toEqual(ranks.toSorted((a: number, b: number) => a - b));
    const first = await getJson(`${own}?limit=1`);
    const second = await getJson(`${own}?limit=500&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items]).toEqual(items);
    const some = await getJson(`${own}?severity=info`);
    expect(some.items).toEqual(items.filter(({ severity }: { severity: string }) => severity === 'info'));
    expect((await get(`${own}?cursor=zzz`)).statusCode).toBe(422);
  });

  it('is summed up in the same words every time', async () => {
    const own = `/v1/projects/${service.project_id}/summary`;
    const summary = await getJson(own);
    const { items } = await list('limit=500');
    expect(summary.episodes).toBe(items.length);
    expect(summary.worst[0].score).toBe(
      Math.min(...items.map(({ score }: { score: number | null }) => score ?? -1)),
    );
    expect(summary.text).toContain(`${items.length} episodes from 3 sources`);
    expect((await getJson(own)).text).toBe(summary.text);
    const some = await getJson(`${own}?decision=accept`);
    expect(some.episodes).toBe(summary.decisions.accept);
    expect((await getJson(`${own}?kind=aerial-flight`)).text).toMatch(/^No episode/);
  });
});

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

/** Decodes the image in a response body. */
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

describe.skipIf(!existsSync(real) || rounds(0, 1) === 0)(
  'videos of a real set (at night; needs ../shared/data/lerobot-v21-g1-bottle)',
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
