import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { type Ran, runAssay } from './run-assay.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-annotate-e2e-'));
const recordings = join(place, 'recordings');
const data = join(place, 'data');
const episodes = 60;
const jobId = /^job_[0-9a-z]{26}$/;

beforeAll(() => generateNumericSet(recordings, episodes));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Registers and runs the recordings from the command line; gives the project's id. */
async function ingest(): Promise<string> {
  const ran = await runAssay(['ingest', recordings, '--data', data, '--project', 'arms', '--json']);
  expect(ran.code, ran.err).toBe(0);
  return JSON.parse(ran.out).project_id;
}

const start = (args: readonly string[] = []) =>
  startServiceProcess({ data, roots: [recordings], args, env: { ASSAY_COMPUTE_USD_PER_S: '0.01' } });
const annotate = (args: readonly string[], options: Parameters<typeof runAssay>[1] = {}): Promise<Ran> =>
  runAssay(['annotate', '--data', data, ...args], options);

describe('one layer of one episode over HTTP', () => {
  let service: ServiceProcess;
  let own: string;
  beforeAll(async () => {
    service = await start();
    const project_id = await ingest();
    const { items } = await service.ask('GET', `/v1/projects/${project_id}/episodes?limit=1`);
    own = `/v1/projects/${project_id}/episodes/${items[0].id}/annotations`;
  }, 120_000);
  afterAll(() => service?.stop());

  test('is made while the request waits, once for one Idempotency-Key, and read again', async () => {
    const key = { 'idempotency-key': 'one-episode' };
    const make = () => service.request('POST', `${own}/segments`, { force: true }, key);
    const [first, again] = [await make(), await make()];
    expect(first).toMatchObject({ status: 200, body: { layer: 'segments', edit: null } });
    expect(first.body.machine.artifact.segments.length).toBe(first.body.machine.counts.segments);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await service.ask('GET', `${own}/segments`)).toEqual(first.body);
    const listed = await service.ask('GET', own);
    const { artifact: _artifact, ...facts } = first.body.machine;
    expect(listed.items).toContainEqual({
      episode_id: first.body.episode_id,
      layer: 'segments',
      machine: facts,
      edited: null,
      links: { annotation: `${own}/segments` },
    });
  });

  test('is answered to who comes back with the same Idempotency-Key after the connection broke', async () => {
    const before = await service.ask('GET', `${own}/metadata`).catch(() => null);
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
    const key = { 'idempotency-key': 'broken-off' };
    const hurry = new AbortController();
    const broken = fetch(`${service.address}${own}/metadata`, {
      method: 'POST',
      headers: { ...headers, ...key },
      body: JSON.stringify({ force: true }),
      signal: hurry.signal,
    }).catch(() => null);
    const jobs = own.replace(/\/episodes\/.*/, '/annotation/jobs?layer=metadata');
    const ofEpisodes = async () =>
      (await service.ask('GET', jobs)).items.filter(({ origin }: { origin: string }) => origin === 'episode');
    while ((await ofEpisodes()).length === 0) await wait(5);
    hurry.abort();
    await broken;
    let again = await service.request('POST', `${own}/metadata`, { force: true }, key);
    while (again.status === 409) {
      expect(again.body.code).toBe('idempotency_conflict');
      await wait(20);
      again = await service.request('POST', `${own}/metadata`, { force: true }, key);
    }
    expect(again).toMatchObject({ status: 200, body: { layer: 'metadata' } });
    expect(again.body.machine.produced_at).not.toBe(before?.machine.produced_at);
    expect(await ofEpisodes()).toHaveLength(1);
  });

  test('is refused in the contract’s words', async () => {
    const refused = async (method: string, path: string, body?: unknown) => {
      const answer = await service.request(method, path, body);
      return [answer.status, answer.body.code];
    };
    expect(await refused('POST', `${own}/segments`, {})).toEqual([409, 'already_produced']);
    expect(await refused('POST', `${own}/depth`, {})).toEqual([409, 'layer_inapplicable']);
    expect(await refused('POST', `${own}/representation_3d`, {})).toEqual([422, 'layer_not_servable']);
    expect(await refused('GET', `${own}/annotation_review`)).toEqual([404, 'not_found']);
    expect(await refused('GET', `${own}/dense_text`)).toEqual([404, 'not_found']);
    expect(await refused('PUT', `${own}/captions`, { text: 'no' })).toEqual([404, 'not_found']);
    expect(await refused('DELETE', `${own}/dense_text`)).toEqual([405, 'method_not_allowed']);
  });

  test('can be written by a person, whatever a text may hold', async () => {
    const put = (text: string) => service.request('PUT', `${own}/dense_text`, { text });
    const text = 'Der Greifer öffnet sich.\n抓住 🤖\u0001';
    expect((await put(`  ${text} `)).body).toMatchObject({
      machine: null,
      edit: { text, artifact_hash: null },
    });
    expect((await service.ask('GET', `${own}/dense_text`)).edit.text).toBe(text);
    for (const wrong of ['a\0b', 'half \ud83e', '   ', 'x'.repeat(20_001)]) {
      const { status, body } = await put(wrong);
      expect([status, body.errors[0].pointer]).toEqual([422, '/body/text']);
    }
    expect((await service.ask('GET', `${own}/dense_text`)).edit.text).toBe(text);
  });

  test('is queued for all by `assay annotate`, which tells what came of it', async () => {
    const all = await annotate(['--project', 'arms', '--layer', 'segments', '--force']);
    expect(all.code, all.err).toBe(0);
    expect(all.out).toMatch(/^Job job_\w+ succeeded: segments, 60 episodes\n {2}done +60\n {2}failed +0\n/);
    expect(all.out).toMatch(/ {2}cost +0\.\d+ USD \(estimated: 0\.\d+ USD\), \d+ s of compute time\n/);
    const project_id = own.split('/')[3];
    const ids = (await service.ask('GET', `/v1/projects/${project_id}/episodes?limit=3`)).items.map(
      ({ id }: { id: string }) => id,
    );
    const named = ['--episodes', `${ids[0]},${ids[1]}`, ids[2], '--config', '{"max_segments": 1}'];
    const some = await annotate([
      ...['--project', project_id, '--layer', 'segments', '--force', '--json', '--url', service.address],
      ...['--token', service.token, ...named],
    ]);
    expect(JSON.parse(some.out)).toMatchObject({
      status: 'succeeded',
      config: { max_segments: 1 },
      episodes: { total: 3, done: 3 },
    });
  });

  test('is refused by `assay annotate` with what to do next', async () => {
    const failing = async (args: readonly string[]) => {
      const { code, err, out } = await annotate(args);
      return { code, said: err.replaceAll(/\s+/g, ' '), out };
    };
    const arms = ['--project', 'arms', '--layer'];
    expect(await failing([...arms, 'segments'])).toMatchObject({
      code: 2,
      said: expect.stringMatching(/all 60 episodes already have segments add --force .* and 55 more/),
    });
    expect(await failing([...arms, 'depth'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('no images'),
    });
    const project = own.split('/').slice(0, 4).join('/');
    await service.ask('PUT', `${project}/annotation/settings`, { modes: { segments: 'off' } });
    expect(await failing([...arms, 'segments', '--force'])).toMatchObject({
      code: 2,
      said: expect.stringMatching(/change the setting modes\.segments turn it on first: PUT/),
    });
    await service.ask('PUT', `${project}/annotation/settings`, { modes: {} });
    await service.ask('PUT', '/v1/budget', { cap_usd: 0 });
    expect(await failing([...arms, 'segments', '--force'])).toMatchObject({
      code: 2,
      said: expect.stringMatching(
        /exceeds the weekly budget of \$0: .* choose fewer episodes with --episodes/,
      ),
    });
    await service.ask('PUT', '/v1/budget', { cap_usd: null });
    expect(await failing(['--project', 'nowhere', '--layer', 'segments'])).toMatchObject({
      code: 3,
      said: expect.stringContaining('no project named nowhere'),
    });
    for (const wrong of [
      [...arms, 'no_such_layer'],
      [...arms, 'segments', '--config', '[1]'],
      ['--layer', 'segments'],
      [...arms, 'segments', '--episodes', 'ep_no'],
    ])
      expect((await failing(wrong)).code, wrong.join(' ')).toBe(2);
  });
});

describe('a job that nobody works on', () => {
  let service: ServiceProcess;
  const jobs = async () => {
    const [project] = (await service.ask('GET', '/v1/projects')).items;
    const path = `/v1/projects/${project.id}/annotation/jobs`;
    return { path, items: (await service.ask('GET', path)).items };
  };
  beforeAll(async () => {
    service = await start(['--no-work']);
  }, 60_000);
  afterAll(() => service?.stop());
  const watched = (stop: (child: ChildProcess) => void, more: readonly string[] = []) => {
    let asked = false;
    return annotate(['--project', 'arms', '--layer', 'metadata', '--force', ...more], {
      onError: (err, child) => {
        if (asked || !err.includes('metadata: 0 of 60 episodes')) return;
        asked = true;
        stop(child);
      },
    });
  };

  test('goes on when the person stops watching, and is cancelled where that was asked for', async () => {
    const left = await watched((child) => child.kill('SIGINT'));
    expect(left.code).toBe(4);
    expect(left.err).toMatch(
      /stopped showing progress; the job keeps running\n +progress: GET http.*\/annotation\/jobs\/job_\w+, cancel: POST/,
    );
    const [queued] = (await jobs()).items;
    expect(queued).toMatchObject({ status: 'queued', origin: 'queue' });
    const cancelled = await watched((child) => child.kill('SIGINT'), ['--cancel-on-interrupt', '--json']);
    expect(cancelled.code).toBe(4);
    expect(cancelled.err).toContain('a metadata job is already queued');
    expect(JSON.parse(cancelled.out)).toMatchObject({ id: queued.id, status: 'cancelled' });
  });

  test('is followed on after its last event when the connection is cut', async () => {
    const door = await openListeningDoor(service.address);
    try {
      const place = ['--url', door.address, '--token', service.token];
      const following = watched(async () => {
        // Whatever it has been told so far is not told again.
        for (let streams = 1; streams <= 3; streams++) {
          while (door.streams().length < streams || !door.answered()) await wait(20);
          door.cut();
        }
        while (door.streams().length < 4) await wait(20);
        const { path, items } = await jobs();
        await service.ask('POST', `${path}/${items[0].id}/cancel`);
      }, [...place, '--json']);
      const ran = await following;
      expect(JSON.parse(ran.out), ran.err).toMatchObject({
        id: expect.stringMatching(jobId),
        status: 'cancelled',
      });
      const [first, ...others] = door.streams();
      expect(first).not.toMatch(/^last-event-id:/im);
      expect(others.length).toBeGreaterThanOrEqual(3);
      for (const request of others) expect(request).toMatch(/^last-event-id: [1-9]\d*\r$/im);
    } finally {
      door.close();
    }
  });

  test('keeps no service from stopping: who waits for it is told that it goes on', async () => {
    const { path } = await jobs();
    const project = path.replace('/annotation/jobs', '');
    const [episode] = (await service.ask('GET', `${project}/episodes?limit=1`)).items;
    const own = `${service.address}${project}/episodes/${episode.id}/annotations`;
    const gone = new AbortController();
    const asked = {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: '{"force": true}',
    };
    const left = fetch(`${own}/segments`, { ...asked, signal: gone.signal }).catch(() => null);
    const waiting = fetch(`${own}/metadata`, asked);
    const waitedFor = async () =>
      (await jobs()).items.filter(
        ({ origin, status }: Record<string, string>) => origin === 'episode' && status === 'queued',
      );
    while ((await waitedFor()).length < 2) await wait(20);
    const { id } = (await waitedFor()).find(({ layer }: { layer: string }) => layer === 'metadata');
    gone.abort();
    await left;
    const stopped = service.stop();
    const { status, headers } = await waiting;
    const body = (await (await waiting).json()) as { code: string; job_id: string };
    expect([status, body.code, body.job_id, headers.get('retry-after')]).toEqual([503, 'busy', id, '10']);
    expect(await stopped).toBe(0);
  });
});

interface ListeningDoor {
  readonly address: string;
  /** Heads of the requests for a stream, in order. */
  streams(): readonly string[];
  /** Returns `true` once the newest connection was sent an event. */
  answered(): boolean;
  /** Cuts every connection. */
  cut(): void;
  close(): void;
}

/** A door before the service that hears what is asked, and can cut what goes through it. */
async function openListeningDoor(service: string): Promise<ListeningDoor> {
  const sockets = new Set<Socket>();
  const streams: { head: string; answer: string }[] = [];
  const door = createServer((client) => {
    const inside = connect(Number(new URL(service).port), '127.0.0.1');
    let current: { head: string; answer: string } | null = null;
    for (const socket of [client, inside]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      const head = bytes.toString();
      current = head.includes('/jobs/stream') ? { head, answer: '' } : null;
      if (current !== null) streams.push(current);
      inside.write(bytes);
    });
    inside.on('data', (bytes) => {
      if (current !== null) current.answer += bytes.toString();
      client.write(bytes);
    });
    inside.on('end', () => client.end());
    client.on('close', () => inside.destroy());
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    address: `http://127.0.0.1:${(door.address() as { port: number }).port}`,
    streams: () => streams.map(({ head }) => head),
    answered: () => /: open/.test(streams.at(-1)?.answer ?? ''),
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      door.close();
    },
  };
}
