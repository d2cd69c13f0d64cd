import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cancelRun,
  createSource,
  deleteSource,
  getRun,
  getSource,
  listAudit,
  planRun,
  resumeRun,
  startRun,
} from '#service/operations';
import { writeSet } from '#test/support/lerobot-set';
import { type HubManners, startDatasetHub, type TestHub } from './support/dataset-hub.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { callAs } from './support/service-call.ts';
import { startServiceProcess } from './support/service-process.ts';
import { serveFolder } from './support/web-folder.ts';

const data = resolve(import.meta.dirname, '../../shared/data');
const scratch = mkdtempSync(join(tmpdir(), 'assay-test-web-sources-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const secret = 'hf_secretsecretsecret';
const local = ['127.0.0.0/8', '::1'];

/** Behaviour of this file's hub for the next requests; tests set it. */
let manners: Partial<Pick<HubManners, 'onRequest' | 'instead'>> = {};
let hub: TestHub;
let service: RunService;

beforeAll(async () => {
  hub = await startDatasetHub({
    page: 3,
    cut_every: 10,
    busy_every: 9,
    onRequest: (asked) => manners.onRequest?.(asked),
    instead: (url, response) => manners.instead?.(url, response) ?? false,
  });
  service = await openRunService({
    roots: [],
    source_access: { web: webAccess({}) },
  });
}, 120_000);
afterAll(async () => {
  await service?.close();
  await hub?.close();
});

const webAccess = (more: Partial<RunService['store']['source_access']['web']>) => ({
  ...{ allows: 'all' as const, networks: local, endpoint: hub.endpoint, max_bytes: 1e9 },
  ...{ token: secret, token_tenants: [] as string[] },
  ...more,
});

/** The store of the service with other rules for addresses. */
const storeWith = (more: Parameters<typeof webAccess>[0]) => {
  const { store } = service;
  return { ...store, source_access: { ...store.source_access, web: webAccess(more) } };
};

const add = (path: string, more: Parameters<typeof webAccess>[0] = {}) =>
  createSource(storeWith(more), service.call, { project_id: service.project_id, kind: 'folder', path });
const plan = (source_id: string) =>
  planRun(service.store, service.call, { project_id: service.project_id, source_id });
const start = (source_id: string, plan_hash?: string) =>
  startRun(service.store, service.call, {
    ...{ project_id: service.project_id, source_id },
    ...(plan_hash === undefined ? {} : { plan_hash }),
  });
describe('a dataset of a hub', () => {
  test('is planned and run at the commit of its plan, although the branch moves meanwhile', async () => {
    const first = hub.commit(await writeSet({ layout: 'v3', episodes: 4 }));
    const source = await add(' hf://lab/set ');
    expect(source).toMatchObject({
      name: 'set',
      state: 'ready',
      location: { kind: 'folder', path: 'hf://datasets/lab/set' },
    });
    expect(source.bytes).toBeGreaterThan(0);
    const planned = await plan(source.id);
    expect(planned).toMatchObject({ episodes: 4 });
    expect(planned.bytes).toBeGreaterThan(0);
    const second = hub.commit(await writeSet({ layout: 'v3', episodes: 6 }));
    const run = await service.ended((await start(source.id, planned.plan_hash)).id);
    expect(run).toMatchObject({ status: 'succeeded', source_revision: first, error: null });
    expect(run.episodes).toMatchObject({ expected: 4, judged: 4 });
    expect(run.bytes.fetched).toBeGreaterThan(0);
    const again = await service.ended((await start(source.id)).id);
    expect(again).toMatchObject({ status: 'succeeded', source_revision: second });
    expect(again.episodes.judged).toBe(6);
  }, 120_000);

  test('an old plan of another commit is refused after a newer one was made', async () => {
    hub.commit(await writeSet({ episodes: 2 }));
    const { id } = await add('hf://lab/set');
    const old = await plan(id);
    hub.commit(await writeSet({ episodes: 3 }));
    await plan(id);
    await expect(start(id, old.plan_hash)).rejects.toMatchObject({ code: 'plan_changed' });
  }, 120_000);

  test('a folder, a file and a revision of it can be registered; a second source reads the cache', async () => {
    const folder = await writeSet({ layout: 'v3', episodes: 2 });
    hub.commit(folder, 'v1');
    hub.commit(await writeSet({ episodes: 5 }));
    const whole = await add('https://huggingface.co/datasets/lab/set/tree/v1');
    expect(whole.location).toEqual({ kind: 'folder', path: 'hf://datasets/lab/set@v1' });
    expect(await plan(whole.id)).toMatchObject({ episodes: 2 });
    const meta = await add('hf://lab/set@v1/meta');
    expect(meta.files).toBeLessThan(whole.files!);
    const file = await add('hf://lab/set@v1/meta/info.json');
    expect(file).toMatchObject({ files: 1, bytes: readFileSync(join(folder, 'meta/info.json')).length });
  }, 120_000);

  test.skipIf(!existsSync(join(data, 'lerobot-v20-gr00t-pick-place')))(
    'a real set is run at its commit and has a verdict (needs ../shared/data)',
    async () => {
      const real = join(data, 'lerobot-v20-gr00t-pick-place');
      const sha = hub.commit(real);
      const { id } = await add('hf://datasets/lab/set');
      const run = await service.ended((await start(id)).id);
      expect(run).toMatchObject({ status: 'succeeded', source_revision: sha });
      expect(run.usability).not.toBeNull();
    },
    300_000,
  );
});

describe('a folder of a web server', () => {
  test('is run in the state that was planned; a file that changes ends the run, naming it', async () => {
    const folder = await writeSet({ layout: 'v3', episodes: 3 });
    const server = await serveFolder(folder);
    const source = await add(server.url);
    expect(source.location).toEqual({ kind: 'folder', path: server.url });
    const planned = await plan(source.id);
    const run = await service.ended((await start(source.id, planned.plan_hash)).id);
    expect(run).toMatchObject({
      status: 'succeeded',
      source_revision: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const path = 'data/chunk-000/file-000.parquet';
    const planned_again = await plan(source.id);
    writeFileSync(join(folder, path), Buffer.concat([readFileSync(join(folder, path)), Buffer.alloc(8)]));
    rmSync(service.store.source_access.cache_folder, { recursive: true });
    const thrown = await start(source.id, planned_again.plan_hash).catch((error) => error);
    expect(thrown).toMatchObject({
      code: 'storage_unavailable',
      message: `${path} changed while it was read`,
    });
    await server.close();
  }, 120_000);
});

describe('what may not be read is refused at the field', () => {
  const refusal = (code: string, text: RegExp) => ({
    code,
    message: expect.stringMatching(text),
    details: { errors: [{ pointer: '/body/path' }] },
  });

  test.each([
    ...['http://127.0.0.1:1/', 'https://127.0.0.1/set/', 'https://localhost/set/', 'https://0x7f000001/'],
    ...[
      'https://2130706433/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest/',
    ],
    ...['https://10.0.0.1/', 'https://192.168.1.1/', 'https://[fd00::1]/', 'https://[fe80::1]/'],
  ])('%s without a setting of the operator', async (address) => {
    await expect(add(address, { networks: [] })).rejects.toMatchObject(
      refusal('source_not_allowed', /public address|not allowed for/),
    );
  });

  test('a redirect to an address that is not allowed, which gets no request', async () => {
    const asked = hub.asked.length;
    const target = hub.endpoint.replace('127.0.0.1', '127.0.0.2');
    manners = {
      instead: (url, response) => {
        if (!url.startsWith('/moved/')) return false;
        response.writeHead(302, { location: `${target}/inside` }).end();
        return true;
      },
    };
    await expect(add(`${hub.endpoint}/moved/`, { networks: ['127.0.0.1'] })).rejects.toMatchObject(
      refusal('source_not_allowed', /not allowed for 127\.0\.0\.2/),
    );
    manners = {};
    expect(hub.asked.slice(asked).map(({ url }) => url)).not.toContain('/inside');
  });

  test('addresses of kinds that the operator turned off', async () => {
    await expect(add('hf://lab/set', { allows: 'none' })).rejects.toMatchObject(
      refusal('source_not_allowed', /does not read hf/),
    );
    await expect(add('https://recordings.test/', { allows: 'hub' })).rejects.toMatchObject(
      refusal('source_not_allowed', /does not read https/),
    );
  });

  test('invalid addresses, absent datasets and revisions, and more bytes than allowed', async () => {
    hub.commit(await writeSet({ episodes: 2 }));
    for (const address of [
      'hf://lab',
      'ftp://lab/set',
      'https://user:secret@lab.test/',
      'https://lab.test/?token=a',
    ])
      await expect(add(address)).rejects.toMatchObject(refusal('invalid_request', /./));
    await expect(add('hf://lab/other')).rejects.toMatchObject(refusal('invalid_request', /not found/));
    await expect(add('hf://lab/set@v9')).rejects.toMatchObject(
      refusal('invalid_request', /revision not found/),
    );
    await expect(add('hf://lab/set', { max_bytes: 10 })).rejects.toMatchObject(
      refusal('limit_exceeded', /more than the 0\.0 GB/),
    );
  });

  test('a hub that is down, overloaded or cut off says which server and what to do', async () => {
    const failing = async (status: number, headers: Record<string, string> = {}) => {
      manners = {
        instead: (_, response) => {
          response.writeHead(status, headers).end('no');
          return true;
        },
      };
      const thrown = await add('hf://lab/set').catch((error) => error);
      manners = {};
      return thrown;
    };
    expect(await failing(429, { 'retry-after': '200' })).toMatchObject(
      refusal('storage_unavailable', /127\.0\.0\.1.* is busy \(429\) and asks to wait 200 s/),
    );
    expect(await failing(401)).toMatchObject({
      ...refusal('source_not_allowed', /returned 401/),
      advice: expect.stringContaining('ASSAY_SOURCE_HUB_TENANTS'),
    });
    expect(await failing(200)).toMatchObject(refusal('storage_unavailable', /does not return JSON/));
  }, 120_000);
});

describe('the token of the operator', () => {
  let closed: TestHub;
  let sha = '';
  beforeAll(async () => {
    closed = await startDatasetHub({ token: secret });
    sha = closed.commit(await writeSet({ layout: 'v3', episodes: 2 }));
  });
  afterAll(() => closed?.close());

  test('is sent for nobody unless the operator names the tenant, and to the hub only', async () => {
    const { endpoint } = closed;
    await expect(add('hf://lab/set', { endpoint })).rejects.toMatchObject({ code: 'source_not_allowed' });
    const other = callAs('engineer');
    await expect(
      add('hf://lab/set', { endpoint, token_tenants: [other.actor.tenant_id] }),
    ).rejects.toMatchObject({
      code: 'source_not_allowed',
    });
    expect(closed.asked.filter(({ authorization }) => authorization !== null)).toEqual([]);

    const before = closed.asked.length;
    const allowed = storeWith({ endpoint, token_tenants: [service.call.actor.tenant_id] });
    const of = { project_id: service.project_id };
    const source = await createSource(allowed, service.call, { ...of, kind: 'folder', path: 'hf://lab/set' });
    const planned = await planRun(allowed, service.call, { ...of, source_id: source.id });
    expect(planned).toMatchObject({ episodes: 2 });
    expect(closed.asked.some(({ where }) => where === 'storage')).toBe(true);
    for (const { where, authorization } of closed.asked.slice(before))
      expect(authorization === null).toBe(where === 'storage');
    const audit = await listAudit(allowed, callAs('admin', service.call.actor.tenant_id), {
      limit: 100,
    } as never);
    const shown = JSON.stringify([source, planned, audit]);
    expect(shown).not.toContain(secret);
    expect(shown).toContain('hf://datasets/lab/set');
    // Nothing that is stored on disk contains it.
    const { data_folder } = service.store;
    for (const path of readdirSync(data_folder, { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.json')) expect(readFileSync(join(data_folder, path), 'utf8')).not.toContain(secret);
    expect(sha).toMatch(/^[0-9a-f]{40}$/);
  }, 120_000);
});

describe('a run of an address', () => {
  test('is cancelled while the server is silent, and resumed at the same commit', async () => {
    const first = hub.commit(await writeSet({ layout: 'v3', episodes: 4 }));
    const { id } = await add('hf://lab/set');
    const planned = await plan(id);
    manners = { instead: (url) => url.includes('/resolve/') };
    const { id: run_id } = await start(id, planned.plan_hash);
    await cancelRun(service.store, service.call, { run_id });
    expect((await getRun(service.store, service.call, { run_id })).status).toBe('cancelled');
    manners = {};
    hub.commit(await writeSet({ layout: 'v3', episodes: 5 }));
    await resumeRun(service.store, service.call, { run_id });
    const run = await service.ended(run_id);
    expect(run).toMatchObject({ status: 'succeeded', source_revision: first });
    expect(run.episodes.judged).toBe(4);
    await deleteSource(service.store, service.call, { source_id: id });
    expect((await getSource(service.store, service.call, { source_id: id })).state).toBe('gone');
    const left: string[] = [];
    for await (const { key } of service.store.blobs.list(`${service.call.actor.tenant_id}/${id}`))
      left.push(key);
    expect(left).toEqual([]);
  }, 120_000);

  test('of two sources at once downloads for both, and both succeed at their commits', async () => {
    const sha = hub.commit(await writeSet({ layout: 'v3', episodes: 3, rows: 90 }));
    const [one, other] = [await add('hf://lab/set'), await add(`hf://lab/set@${sha}`)];
    const [a, b] = await Promise.all([start(one.id), start(other.id)]);
    for (const { id } of [a, b])
      expect(await service.ended(id)).toMatchObject({ status: 'succeeded', source_revision: sha });
  }, 120_000);

  test('goes on at the same commit after the service was killed while it downloaded', async () => {
    const killable = await startDatasetHub();
    const sha = killable.commit(await writeSet({ layout: 'v3', episodes: 4, rows: 200 }));
    const options = {
      data: join(scratch, 'killed'),
      env: { HF_ENDPOINT: killable.endpoint, ASSAY_SOURCE_WEB_NETWORKS: '127.0.0.1' },
    };
    let process = await startServiceProcess(options);
    const workspace = await process.ask('POST', '/v1/workspaces', {
      name: 'lab',
      use_case: 'data-assessment',
    });
    const project = await process.ask('POST', '/v1/projects', {
      ...{ workspace_id: workspace.id, name: 'hub', target_profile: 'vla' },
    });
    const below = `/v1/projects/${project.id}`;
    const body = { kind: 'folder', path: 'hf://lab/set' };
    const source = await process.ask('POST', `${below}/sources`, body);
    const run = await process.ask('POST', `${below}/runs`, { source_id: source.id });
    const before = killable.asked.length;
    await expect.poll(() => killable.asked.length, { timeout: 30_000, interval: 2 }).toBeGreaterThan(before);
    await process.kill();
    killable.commit(await writeSet({ layout: 'v3', episodes: 2 }));
    process = await startServiceProcess(options);
    const status = async () => (await process.ask('GET', `/v1/runs/${run.id}`)).status;
    await expect.poll(status, { timeout: 90_000, interval: 200 }).toBe('succeeded');
    const ended = await process.ask('GET', `/v1/runs/${run.id}`);
    expect(ended).toMatchObject({ source_revision: sha, episodes: { judged: 4 } });
    await process.stop();
    await killable.close();
  }, 180_000);
});
