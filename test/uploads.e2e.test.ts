import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { createUpload, offsetOf, sendBytes, sendFile, sha256Of, tus } from './support/tus-client.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-uploads-'));
const data = join(scratch, 'data');
let service: ServiceProcess;
let project_id: string;
beforeAll(async () => {
  service = await startServiceProcess({ data });
  const workspace = await service.ask('POST', '/v1/workspaces', {
    name: 'lab',
    use_case: 'robotic-manipulation',
  });
  const made = { workspace_id: workspace.id, name: 'sent', target_profile: 'vla' };
  project_id = (await service.ask('POST', '/v1/projects', made)).id;
});
afterAll(async () => {
  await service?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const noise = (length: number, seed = 1) => {
  const bytes = new Uint8Array(length);
  for (let at = 0, state = seed; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
};
const openUpload = async (files: { path: string; bytes: number; sha256: string }[] = []): Promise<string> =>
  (await service.ask('POST', `/v1/projects/${project_id}/sources`, { kind: 'upload', name: 'x', files })).id;
const promise = (path: string, bytes: Uint8Array) => ({ path, bytes: bytes.length, sha256: sha256Of(bytes) });
const complete = (source_id: string) => service.request('POST', `/v1/sources/${source_id}/complete`);
const staged = () => (existsSync(join(data, 'uploads')) ? readdirSync(join(data, 'uploads')) : []);
/** Returns the folder of a source's completed files. */
function stored(source_id: string): string {
  const [tenant] = readdirSync(join(data, 'blobs')).filter((name) => name.startsWith('tnt_'));
  return join(data, 'blobs', tenant, 'sources', source_id);
}

describe('an upload', () => {
  test('takes files of any size and depth, and its source can be run on', async () => {
    const source_id = await openUpload();
    const files = {
      'a/b/take 1 (é).bin': noise(3_000_000),
      'empty.txt': new Uint8Array(0),
      'a/x.bin': noise(1),
    };
    for (const [path, bytes] of Object.entries(files)) await sendFile(service, source_id, path, bytes);
    const done = await complete(source_id);
    expect(done).toMatchObject({ status: 200, body: { state: 'ready', files: 3, bytes: 3_000_001 } });
    for (const [path, bytes] of Object.entries(files))
      expect(Buffer.compare(readFileSync(join(stored(source_id), path)), bytes)).toBe(0);
    expect(staged()).toEqual([]);
  });

  test('goes on where it stopped when the service was killed in the middle of a file', async () => {
    const bytes = noise(60_000_000, 7);
    const source_id = await openUpload([promise('big.bin', bytes)]);
    const created = await createUpload(service, { source_id, ...promise('big.bin', bytes) });
    const location = created.headers.get('location')!;
    const slowly = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < bytes.length; at += 1_000_000) {
          controller.enqueue(bytes.subarray(at, at + 1_000_000));
          await sleep(5);
        }
        controller.close();
      },
    });
    const sending = sendBytes(service, location, 0, slowly).catch(() => null);
    while (!staged().some((name) => location.endsWith(name)) || (await stagedBytes(location)) < 10_000_000)
      await sleep(5);
    await service.kill();
    await sending;
    service = await startServiceProcess({ data });
    const offset = await offsetOf(service, location);
    expect(offset).toBeGreaterThan(5_000_000);
    expect(offset).toBeLessThan(bytes.length);
    expect((await complete(source_id)).body).toMatchObject({
      code: 'not_ready',
      missing: [{ path: 'big.bin', state: 'receiving' }],
    });
    const rest = await sendBytes(service, location, offset, bytes.slice(offset));
    expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(bytes.length)]);
    expect((await complete(source_id)).status).toBe(200);
    expect(sha256Of(readFileSync(join(stored(source_id), 'big.bin')))).toBe(sha256Of(bytes));
  });

  const stagedBytes = async (location: string) =>
    readFileSync(join(data, 'uploads', location.slice(location.lastIndexOf('/') + 1))).length;

  test('of other bytes than promised is refused, thrown away, and may come again', async () => {
    const right = noise(5000, 3);
    const wrong = right.slice();
    wrong[4000] ^= 1;
    for (const promised of [true, false]) {
      const source_id = await openUpload(promised ? [promise('f.bin', right)] : []);
      const created = await createUpload(service, { source_id, ...promise('f.bin', right) });
      const sent = await sendBytes(service, created.headers.get('location')!, 0, wrong);
      expect(sent).toMatchObject({
        status: 422,
        body: { code: 'hash_mismatch', sha256_promised: sha256Of(right), sha256_received: sha256Of(wrong) },
      });
      expect(staged()).toEqual([]);
      const missing = (await complete(source_id)).body.missing;
      expect(missing).toEqual(promised ? [{ path: 'f.bin', state: 'promised' }] : []);
      await sendFile(service, source_id, 'f.bin', right);
      expect((await complete(source_id)).status).toBe(200);
    }
  });

  test('keeps what came of a file whose last answer was lost', async () => {
    const bytes = noise(100_000, 5);
    const source_id = await openUpload();
    const location = await sendFile(service, source_id, 'f.bin', bytes);
    expect(await offsetOf(service, location)).toBe(bytes.length);
    const again = await createUpload(service, { source_id, ...promise('f.bin', bytes) });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict', state: 'whole' } });
  });

  test('tells where a file goes on that is on its way already', async () => {
    const bytes = noise(1000);
    const source_id = await openUpload();
    const first = await createUpload(service, { source_id, ...promise('f', bytes) });
    const location = first.headers.get('location')!;
    await sendBytes(service, location, 0, bytes.slice(0, 400));
    const second = await createUpload(service, { source_id, ...promise('f', bytes) });
    expect(second).toMatchObject({ status: 409, body: { state: 'receiving', upload_url: location } });
    const listed = await service.ask('GET', `/v1/sources/${source_id}/files`);
    expect(listed.items).toEqual([{ ...promise('f', bytes), state: 'receiving', upload_url: location }]);
    const past = await sendBytes(service, location, 300, bytes.slice(300));
    expect(past).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await sendBytes(service, location, 400, bytes.slice(400))).status).toBe(204);
  });

  test.each([
    ['upwards', '../evil'],
    ['absolute', '/etc/cron.d/evil'],
    ['upwards inside', 'a/../../evil'],
    ['with a backslash', '..\\evil'],
    ['with a null character', 'a\0b'],
  ])('refuses a path %s', async (_, path) => {
    const source_id = await openUpload();
    const bytes = noise(3);
    const refused = await createUpload(service, { source_id, ...promise(path, bytes) });
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });

  test('refuses what cannot stand beside another file, and what was promised otherwise', async () => {
    const source_id = await openUpload([promise('p', noise(9))]);
    await sendFile(service, source_id, 'a/b', noise(3));
    for (const path of ['a', 'a/b/c'])
      expect(await createUpload(service, { source_id, ...promise(path, noise(3)) })).toMatchObject({
        status: 409,
      });
    expect(await createUpload(service, { source_id, ...promise('p', noise(8)) })).toMatchObject({
      status: 422,
      body: { code: 'hash_mismatch' },
    });
  });

  test('takes no more files once it is complete, and no more bytes than were announced', async () => {
    const source_id = await openUpload();
    const small = await createUpload(service, { source_id, ...promise('small', noise(10)) });
    expect((await sendBytes(service, small.headers.get('location')!, 0, noise(20))).status).toBe(413);
    await sendBytes(service, small.headers.get('location')!, 0, noise(10));
    expect((await complete(source_id)).status).toBe(200);
    const late = await createUpload(service, { source_id, ...promise('late', noise(10)) });
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const removed = await tus(service, 'DELETE', small.headers.get('location')!);
    expect(removed.status).toBe(409);
  });

  test('gives a file up that is deleted, and leaves nothing of it', async () => {
    const source_id = await openUpload();
    const whole = await sendFile(service, source_id, 'whole', noise(10));
    const half = (await createUpload(service, { source_id, ...promise('half', noise(10)) })).headers.get(
      'location',
    )!;
    await sendBytes(service, half, 0, noise(10).slice(0, 5));
    for (const location of [whole, half]) {
      expect((await tus(service, 'DELETE', location)).status).toBe(204);
      expect((await tus(service, 'HEAD', location)).status).toBe(404);
    }
    expect(existsSync(stored(source_id))).toBe(false);
    expect((await complete(source_id)).body.code).toBe('not_ready');
  });

  test('is another tenant’s and a viewer’s as little as any source', async () => {
    const source_id = await openUpload();
    const location = (await createUpload(service, { source_id, ...promise('f', noise(5)) })).headers.get(
      'location',
    )!;
    const viewer = await service.ask('POST', '/v1/tokens', { name: 'v', role: 'viewer' });
    const asViewer = { address: service.address, token: viewer.token };
    for (const [method, path] of [
      ['POST', '/v1/uploads'],
      ['HEAD', location],
      ['PATCH', location],
      ['DELETE', location],
    ])
      expect((await tus(asViewer, method, path)).status).toBe(403);
    expect((await tus({ ...asViewer, token: 'asy_nothing' }, 'HEAD', location)).status).toBe(401);
    expect((await tus(service, 'GET', location)).status).toBe(405);
    expect((await tus(service, 'HEAD', `${location.slice(0, -3)}000`)).status).toBe(404);
  });

  test('says what it lacks, in the words of problems', async () => {
    const bare = await tus(service, 'POST', '/v1/uploads', { 'upload-length': '5' });
    expect(bare).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    expect(bare.body.errors).toHaveLength(3);
    expect(bare.headers.get('tus-resumable')).toBe('1.0.0');
    expect((await tus(service, 'POST', '/v1/uploads')).status).toBe(400);
    const old = await tus(service, 'HEAD', '/v1/uploads/upl_00000000000000000000000000', {
      'tus-resumable': '',
    });
    expect(old.status).toBe(412);
    const spoken = await tus(service, 'OPTIONS', '/v1/uploads');
    expect([spoken.status, spoken.headers.get('tus-version')]).toEqual([204, '1.0.0']);
  });

  test('waits on a full disk and goes on when there is room (needs root to mount a small disk)', async ({
    skip,
  }) => {
    const folder = join(data, 'uploads');
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    } catch {
      skip('mounting is not permitted here');
    }
    try {
      const bytes = noise(5_000_000, 9);
      const source_id = await openUpload();
      const created = await createUpload(service, { source_id, ...promise('f', bytes) });
      const location = created.headers.get('location')!;
      const full = await sendBytes(service, location, 0, bytes);
      expect(full).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
      execFileSync('mount', ['-o', 'remount,size=20m', folder]);
      const offset = await offsetOf(service, location);
      expect(offset).toBeLessThan(2_200_000);
      expect((await sendBytes(service, location, offset, bytes.slice(offset))).status).toBe(204);
      expect((await complete(source_id)).status).toBe(200);
      expect(sha256Of(readFileSync(join(stored(source_id), 'f')))).toBe(sha256Of(bytes));
    } finally {
      execFileSync('umount', [folder]);
    }
  });

  test('is taken away with its files when its source is deleted', async () => {
    const source_id = await openUpload();
    await sendFile(service, source_id, 'whole', noise(10));
    const half = (await createUpload(service, { source_id, ...promise('half', noise(10)) })).headers.get(
      'location',
    )!;
    await sendBytes(service, half, 0, noise(10).slice(0, 5));
    await service.ask('DELETE', `/v1/sources/${source_id}`);
    expect(existsSync(stored(source_id))).toBe(false);
    expect(staged().filter((name) => half.endsWith(name))).toEqual([]);
    expect((await tus(service, 'HEAD', half)).status).toBe(404);
  });
});
