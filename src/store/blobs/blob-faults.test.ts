import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stagingName } from '#io/sources/s3';
import { type CutDoor, openCutDoor } from '#test/support/cut-door';
import { haveServers, onServers, startS3, type TestS3 } from '#test/support/servers';
import { clearPartialBlobs, openBlobs } from './open-blobs.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-blob-faults-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const unavailable = { code: 'storage_unavailable' };

describe('a folder of blobs that fails', () => {
  test('a folder that went away is unavailable, not empty', async () => {
    const folder = join(scratch, 'gone');
    const blobs = openBlobs({ kind: 'folder', folder });
    await blobs.put('a', Buffer.from('a'));
    rmSync(folder, { recursive: true });
    await expect(blobs.get('a')).rejects.toMatchObject(unavailable);
    await expect(blobs.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
  });

  test('a folder that cannot be made says so', async () => {
    writeFileSync(join(scratch, 'file'), '');
    const blobs = openBlobs({ kind: 'folder', folder: join(scratch, 'file', 'below') });
    await expect(blobs.probe()).rejects.toMatchObject(unavailable);
    await expect(blobs.put('a', new Uint8Array(1))).rejects.toMatchObject(unavailable);
  });

  test('a full disk keeps what is whole and leaves nothing half (needs root to mount a small disk)', async ({
    skip,
  }) => {
    const disk = join(scratch, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      skip('mounting is not permitted here');
    }
    try {
      const blobs = openBlobs({ kind: 'folder', folder: join(disk, 'blobs') });
      await blobs.put('whole', Buffer.alloc(200_000, 1));
      await expect(blobs.put('half', Buffer.alloc(2_000_000, 2))).rejects.toMatchObject({
        ...unavailable,
        advice: expect.stringContaining('free some space'),
      });
      await expect(blobs.get('half')).rejects.toMatchObject({ code: 'not_found' });
      expect((await blobs.get('whole')).length).toBe(200_000);
      expect(readdirSync(join(disk, 'blobs', '.staging'))).toEqual([]);
      await blobs.put('after', Buffer.alloc(200_000, 3));
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe('what killed writers leave', () => {
  const folder = join(scratch, 'killed');
  const staging = join(folder, '.staging');
  const options = { kind: 'folder', folder } as const;

  test('a writer killed half-way leaves a temporary file, and the next start removes it', async () => {
    const script = `
      import { openBlobs } from ${JSON.stringify(join(import.meta.dirname, 'open-blobs.ts'))};
      const blobs = openBlobs(${JSON.stringify(options)});
      await blobs.put('whole', Buffer.alloc(10));
      process.stdout.write('started');
      for (let at = 0; ; at++) await blobs.put('big/' + at, Buffer.alloc(64 * 1024 * 1024));`;
    let left: string[] = [];
    for (let round = 0; round < 20 && left.length === 0; round++) {
      const writer = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
      await once(writer.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, 10 + 7 * round));
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      left = readdirSync(staging);
    }
    expect(left.length).toBe(1);
    clearPartialBlobs(options);
    expect(readdirSync(staging)).toEqual([]);
    const blobs = openBlobs(options);
    for await (const { key, bytes } of blobs.list('big/')) {
      expect([key, bytes]).toEqual([key, 64 * 1024 * 1024]);
    }
  });

  test('what a living process writes stays, what nobody can be writing any more goes', () => {
    mkdirSync(staging, { recursive: true });
    const names = [stagingName(), 'otherhost-1-young', 'otherhost-1-old'];
    for (const name of names) writeFileSync(join(staging, name), '');
    utimesSync(join(staging, 'otherhost-1-old'), 1_000, 1_000);
    clearPartialBlobs(options);
    expect(new Set(readdirSync(staging))).toEqual(new Set(names.slice(0, 2)));
  });
});

describe('an S3 server that somebody waits for', () => {
  const connection = {
    region: 'us-east-1',
    force_path_style: true,
    access_key_id: 'a',
    secret_access_key: 'b',
  };
  const openAt = (port: number) => {
    const endpoint = `http://127.0.0.1:${port}`;
    const place = { kind: 's3', bucket: 'bucket', prefix: '', scratch_folder: scratch } as const;
    return openBlobs({ ...place, ...connection, endpoint }, { answer_ms: 200 });
  };
  const listen = async (hear: (socket: Socket) => void) => {
    const server = createServer(hear).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  };

  test('and that takes requests and never answers is given up, whatever is asked', async () => {
    const { server, port } = await listen((socket) => socket.on('error', () => {}).resume());
    const blobs = openAt(port);
    await expect(blobs.get('a')).rejects.toMatchObject(unavailable);
    await expect(blobs.range('a', 0, 10)).rejects.toMatchObject(unavailable);
    await expect(blobs.stream('a')).rejects.toMatchObject(unavailable);
    await expect(blobs.file('a')).rejects.toMatchObject(unavailable);
    await expect(blobs.put('a', Buffer.alloc(10))).rejects.toMatchObject(unavailable);
    writeFileSync(join(scratch, 'sent'), 'sent');
    await expect(blobs.putFile('a', join(scratch, 'sent'))).rejects.toMatchObject(unavailable);
    await expect(blobs.delete(['a'])).rejects.toMatchObject(unavailable);
    await expect(blobs.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
    blobs.close();
    server.close();
  });

  test('and whose body takes longer than its beginning is read to its end', async () => {
    const { server, port } = await listen((socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nETag: "e"\r\n\r\nsl');
          setTimeout(() => socket.end('ow'), 600);
        });
    });
    const blobs = openAt(port);
    expect(Buffer.from(await blobs.get('a')).toString()).toBe('slow');
    blobs.close();
    server.close();
  });
});

describe.skipIf(!haveServers)(onServers('an S3 server that fails'), () => {
  let s3: TestS3;
  let door: CutDoor;
  beforeAll(async () => {
    s3 = await startS3();
    door = await openCutDoor(s3.endpoint);
  });
  afterAll(async () => {
    await door?.close();
    await s3?.stop();
  });

  test('answers cut off before or inside the body are asked for again', async () => {
    const blobs = openBlobs({ ...(await s3.bucket('flaky')), endpoint: door.endpoint });
    const stored = Buffer.alloc(3_000_000, 'x');
    await blobs.put('pack', stored);
    for (const after of [0, 1_000_000]) {
      door.cut(after, 2);
      expect((await blobs.get('pack')).length).toBe(stored.length);
      expect(door.cuts).toBe(0);
    }
    door.cut(0, 2);
    await blobs.put('pack2', Buffer.from('second'));
    door.cut(0, 0);
    expect((await blobs.get('pack2')).length).toBe(6);
    blobs.close();
  });

  test('a server that stays away is unavailable, and what it holds is there when it comes back', async () => {
    const blobs = openBlobs({ ...(await s3.bucket('away')), endpoint: door.endpoint });
    await blobs.put('kept', Buffer.from('kept'));
    door.cut(0, Number.POSITIVE_INFINITY);
    await expect(blobs.get('kept')).rejects.toMatchObject(unavailable);
    await expect(blobs.put('lost', Buffer.from('lost'))).rejects.toMatchObject(unavailable);
    await expect(blobs.probe()).rejects.toMatchObject(unavailable);
    door.cut(0, 0);
    expect(Buffer.from(await blobs.get('kept')).toString()).toBe('kept');
    await blobs.probe();
    blobs.close();
  });
});
