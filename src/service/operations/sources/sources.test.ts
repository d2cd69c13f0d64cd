import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AssayError, messageOf, newId } from '#core';
import { resolveRecordings, withFiles } from '#engine';
import { openBlobs, sourceRows, stagingFolder, tables } from '#store';
import { haveServers, onServers, startS3, type TestS3 } from '#test/support/servers';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import type { Call } from '../call.ts';
import {
  beginUploadFile,
  completeSource,
  createProject,
  createSource,
  createWorkspace,
  deleteSource,
  extendUpload,
  finishUploadFile,
  getSource,
  getUploadProgress,
  listAudit,
  listSourceFiles,
  listSources,
  removeUploadFile,
  sweepUploads,
} from '../index.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'assay-test-sources-')));
const root = join(place, 'recordings');
const outside = join(place, 'outside');
mkdirSync(join(root, 'lab', 'day 1'), { recursive: true });
mkdirSync(outside);
writeFileSync(join(outside, 'secret'), '');
writeFileSync(join(root, 'lab', 'take.mcap'), '');
symlinkSync(outside, join(root, 'way-out'));
symlinkSync(join(outside, 'nothing'), join(root, 'way-to-nothing'));
symlinkSync(join(root, 'lab'), join(root, 'way-inside'));
symlinkSync(root, join(place, 'also-root'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const sha256 = 'a'.repeat(64);

async function projectFor(store: TestStore, call: Call): Promise<string> {
  const workspace = await createWorkspace(store, call, { name: 'lab', use_case: 'robotic-manipulation' });
  const made = { workspace_id: workspace.id, name: 'bottles', target_profile: 'vla' } as const;
  return (await createProject(store, call, made)).id;
}

const openStore = (
  on: TestStore['database']['kind'] = 'embedded',
  more: Partial<TestStore['source_access']> = {},
) =>
  openTestStore({
    on,
    blobs: (folder) => openBlobs({ kind: 'folder', folder: join(folder, 'blobs') }),
    source_access: { roots: [root], ...more },
  });

describe.each(serviceDatabases)('sources on the %s database', (on) => {
  let store: TestStore;
  const call = callAs('engineer');
  let project_id: string;
  beforeAll(async () => {
    store = await openStore(on);
    project_id = await projectFor(store, call);
  });
  afterAll(() => store?.close());

  const folder = (path: string) => createSource(store, call, { project_id, kind: 'folder', path });

  test('a folder and a lone file under a root are registered and can be opened', async () => {
    const source = await folder(join(root, 'lab', 'day 1'));
    expect(source).toMatchObject({ name: 'day 1', state: 'ready', files: null });
    expect(source.location).toEqual({ kind: 'folder', path: join(root, 'lab', 'day 1') });
    expect((await folder(join(root, 'lab', 'take.mcap'))).name).toBe('take.mcap');
    expect((await folder(join(root, 'way-inside'))).name).toBe('way-inside');
    expect((await folder(`${root}/lab/../lab/`)).location).toEqual({
      kind: 'folder',
      path: join(root, 'lab'),
    });
    const row = await sourceRows.getSource({ sql: store.database.sql, ...call.actor }, source.id);
    const opened = await resolveRecordings(store, row!);
    expect(opened).toEqual({ kind: 'folder', path: join(root, 'lab', 'day 1') });
  });

  test('what lies outside is refused in the same words, there or not, and by whatever way', async () => {
    const said = new Set<string>();
    for (const path of [
      join(outside, 'secret'),
      join(outside, 'nothing'),
      outside,
      join(root, '..', 'outside', 'secret'),
      join(root, 'way-out'),
      join(root, 'way-out', 'secret'),
      join(root, 'way-out', 'nothing'),
      join(root, 'way-to-nothing'),
      `${root}-beside`,
      'lab',
      '/',
      '',
    ]) {
      const thrown = await folder(path).catch((error: unknown) => error);
      expect(thrown, path).toBeInstanceOf(AssayError);
      const { code, message, advice, details } = thrown as AssayError;
      said.add(JSON.stringify([code, message, advice, details]));
    }
    expect([...said]).toHaveLength(1);
    expect([...said][0]).toContain('source_not_allowed');
    expect([...said][0]).toContain(root);
  });

  test('an address in place of a path is refused where the operator does not allow it', async () => {
    const web = { ...store.source_access.web, allows: 'none' as const };
    const none: TestStore = Object.create(store, {
      source_access: { value: { ...store.source_access, web } },
    });
    const add = (path: string) => createSource(none, call, { project_id, kind: 'folder', path });
    for (const address of ['hf://lerobot/pusht@v2.1', 'https://169.254.169.254/latest/'])
      await expect(add(address)).rejects.toMatchObject({
        code: 'source_not_allowed',
        advice: expect.stringContaining('ASSAY_SOURCE_WEB'),
        details: { errors: [{ pointer: '/body/path' }] },
      });
    await expect(add('s3://lab/days')).rejects.toMatchObject({
      code: 'source_not_allowed',
      message: 'no buckets are allowed as sources',
      details: { errors: [{ pointer: '/body/path' }] },
    });
  });

  test('what is absent inside a root is said plainly', async () => {
    await expect(folder(join(root, 'lab', 'day 2'))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('day 2'),
      details: { errors: [{ pointer: '/body/path' }] },
    });
  });

  test('paths of a folder and of a lone file start from that folder', async () => {
    for (const path of [join(root, 'lab'), join(root, 'lab', 'take.mcap')]) {
      const { id } = await folder(path);
      const row = await sourceRows.getSource({ sql: store.database.sql, ...call.actor }, id);
      const files = { dataset_path: '.', files: [{ path: 'take.mcap' }] };
      expect(await withFiles(await resolveRecordings(store, row!), files, async (below) => below)).toBe(
        join(root, 'lab'),
      );
    }
  });

  test('a link that was turned outwards after registering is refused when it is opened', async () => {
    const link = join(root, `moves-${on}`);
    symlinkSync(join(root, 'lab'), link);
    const { id } = await folder(link);
    rmSync(link);
    symlinkSync(outside, link);
    const row = await sourceRows.getSource({ sql: store.database.sql, ...call.actor }, id);
    await expect(resolveRecordings(store, row!)).rejects.toMatchObject({ code: 'source_not_allowed' });
  });

  test('another tenant’s project and sources are not found, in the words for absent ones', async () => {
    const { id } = await folder(root);
    const stranger = callAs('admin');
    const thrownBy = (work: Promise<unknown>) => work.catch((error: unknown) => messageOf(error));
    const absent = newId('src');
    expect(await thrownBy(getSource(store, stranger, { source_id: id }))).toBe(
      await thrownBy(getSource(store, call, { source_id: absent })),
    );
    for (const work of [
      () => getSource(store, stranger, { source_id: id }),
      () => deleteSource(store, stranger, { source_id: id }),
      () => completeSource(store, stranger, { source_id: id }),
      () => listSourceFiles(store, stranger, { source_id: id, state: 'all', limit: 5 }),
      () => listSources(store, stranger, { project_id, limit: 5 }),
      () => createSource(store, stranger, { project_id, kind: 'folder', path: root }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('a viewer looks and an engineer changes', async () => {
    const viewer: Call = { ...call, actor: { ...call.actor, role: 'viewer' } };
    const { id } = await folder(root);
    expect((await getSource(store, viewer, { source_id: id })).id).toBe(id);
    for (const work of [
      () => createSource(store, viewer, { project_id, kind: 'folder', path: root }),
      () => deleteSource(store, viewer, { source_id: id }),
      () => completeSource(store, viewer, { source_id: id }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  test('sources are listed newest first, page by page', async () => {
    const own = await projectFor(store, call);
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      ids.unshift((await createSource(store, call, { project_id: own, kind: 'folder', path: root })).id);
    }
    const first = await listSources(store, call, { project_id: own, limit: 3 });
    const cursor = first.next_cursor ?? undefined;
    const second = await listSources(store, call, { project_id: own, limit: 3, cursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
  });

  test('an upload is not complete before every promised file is whole, and names what is missing', async () => {
    const files = ['b/2.bin', 'a.bin', 'b/1.bin'].map((path) => ({ path, bytes: 3, sha256 }));
    const { id, state, location } = await createSource(store, call, {
      ...{ project_id, kind: 'upload', name: 'sent', files },
    });
    expect([state, location.kind]).toEqual(['open', 'upload']);
    const listed = await listSourceFiles(store, call, { source_id: id, state: 'all', limit: 2 });
    expect(listed.items.map(({ path }) => path)).toEqual(['a.bin', 'b/1.bin']);
    const cursor = listed.next_cursor ?? undefined;
    const rest = await listSourceFiles(store, call, { source_id: id, state: 'unfinished', limit: 2, cursor });
    expect(rest.items).toMatchObject([{ path: 'b/2.bin', state: 'promised', upload_url: null }]);
    await expect(completeSource(store, call, { source_id: id })).rejects.toMatchObject({
      code: 'not_ready',
      details: {
        missing_total: 3,
        missing: [{ path: 'a.bin', state: 'promised' }, { path: 'b/1.bin' }, { path: 'b/2.bin' }],
      },
    });
    await store.database.sql.update(tables.uploadFiles).set({ state: 'whole' });
    const completed = await completeSource(store, call, { source_id: id });
    expect(completed).toMatchObject({ state: 'ready', files: 3, bytes: 9, location: { expires_at: null } });
    expect(await completeSource(store, call, { source_id: id })).toEqual(completed);
  });

  test.each([
    ['upwards', '../x'],
    ['absolute', '/etc/passwd'],
    ['with an empty name', 'a//b'],
    ['with a backslash', 'a\\..\\b'],
    ['on a drive', 'C:/x'],
    ['with a control character', 'a\nb'],
  ])('an upload refuses a path %s', async (_, path) => {
    const files = [{ path, bytes: 1, sha256 }];
    const made = createSource(store, call, { project_id, kind: 'upload', name: 'x', files });
    await expect(made).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ pointer: '/body/files/0/path' }] },
    });
  });

  test('an upload refuses one path twice, and a file that is another’s folder', async () => {
    for (const paths of [
      ['a', 'a'],
      ['a/b/c', 'a/b'],
    ]) {
      const files = paths.map((path) => ({ path, bytes: 1, sha256 }));
      const made = createSource(store, call, { project_id, kind: 'upload', name: 'x', files });
      await expect(made).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  test('another tenant finds no file of an upload', async () => {
    const { id: source_id } = await createSource(store, call, {
      ...{ project_id, kind: 'upload', name: 'x', files: [] },
    });
    const file = { source_id, path: 'a', bytes: 1, sha256 };
    const id = await beginUploadFile(store, call, file);
    expect((await getUploadProgress(store, call, { id })).received).toBe(0);
    const stranger = callAs('admin');
    for (const work of [
      () => beginUploadFile(store, stranger, { ...file, path: 'b' }),
      () => getUploadProgress(store, stranger, { id }),
      () => extendUpload(store, stranger, { id }),
      () => finishUploadFile(store, stranger, { id }),
      () => removeUploadFile(store, stranger, { id }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('an upload that nobody goes on with is thrown away after a week, one that goes on is not', async () => {
    const week_ms = 7 * 86_400_000;
    const day = (days: number): Call => ({ ...call, now: new Date(call.now.getTime() + days * 86_400_000) });
    const open = async () => {
      const { id } = await createSource(store, call, { project_id, kind: 'upload', name: 'x', files: [] });
      const file = await beginUploadFile(store, call, { source_id: id, path: 'a', bytes: 9, sha256 });
      mkdirSync(stagingFolder(store), { recursive: true });
      writeFileSync(join(stagingFolder(store), file), 'half');
      return { source_id: id, id: file };
    };
    const [left, goes] = [await open(), await open()];
    const nobodys = join(stagingFolder(store), 'upl_nobodys');
    writeFileSync(nobodys, '');
    await extendUpload(store, day(6), goes);
    const swept = await sweepUploads(store, new Date(call.now.getTime() + week_ms + 1000));
    expect(swept.uploads).toBeGreaterThanOrEqual(1);
    await expect(getSource(store, call, left)).rejects.toMatchObject({ code: 'not_found' });
    expect((await getUploadProgress(store, call, goes)).received).toBe(4);
    expect(existsSync(join(stagingFolder(store), left.id))).toBe(false);
    expect(existsSync(nobodys)).toBe(false);
  });

  test('a source without runs is deleted with its uploaded files, one with runs is gone', async () => {
    const { id } = await createSource(store, call, { project_id, kind: 'upload', name: 'x', files: [] });
    await store.blobs.put(`${call.actor.tenant_id}/sources/${id}/a.bin`, new Uint8Array(3));
    const source_id = id;
    await deleteSource(store, call, { source_id });
    await expect(getSource(store, call, { source_id })).rejects.toMatchObject({ code: 'not_found' });
    const left: string[] = [];
    for await (const { key } of store.blobs.list(call.actor.tenant_id)) left.push(key);
    expect(left).toEqual([]);
    const audit = await listAudit(store, { ...call, actor: { ...call.actor, role: 'admin' } }, { limit: 1 });
    expect(audit.items[0]).toMatchObject({ action: 'delete_source', object_id: id, after_hash: null });
  });
});

describe.skipIf(!haveServers)(onServers('sources in S3'), () => {
  let s3: TestS3;
  let store: TestStore;
  const call = callAs('engineer');
  let project_id: string;
  beforeAll(async () => {
    s3 = await startS3();
    const { region, force_path_style, endpoint, access_key_id, secret_access_key } = await s3.bucket('lab');
    await s3.bucket('elsewhere');
    await s3.client.send(new PutObjectCommand({ Bucket: 'lab', Key: 'days/1/take.mcap', Body: 'x' }));
    const reached = { region, force_path_style, endpoint, access_key_id, secret_access_key };
    store = await openStore('embedded', { buckets: ['lab/days', 'missing'], s3: reached as never });
    project_id = await projectFor(store, call);
  });
  afterAll(async () => {
    await store?.close();
    await s3?.stop();
  });
  const at = (bucket: string, prefix: string) =>
    createSource(store, call, { project_id, kind: 's3', bucket, prefix });

  test('a prefix under an allowed one is registered and can be opened', async () => {
    const source = await at('lab', 'days/1/');
    expect(source).toMatchObject({ name: '1', location: { kind: 's3', bucket: 'lab', prefix: 'days/1/' } });
    const row = await sourceRows.getSource({ sql: store.database.sql, ...call.actor }, source.id);
    expect(await resolveRecordings(store, row!)).toMatchObject({
      kind: 's3',
      bucket: 'lab',
      prefix: 'days/1/',
    });
    expect((await at('lab', '/days')).location).toMatchObject({ prefix: 'days' });
  });

  test('files are at hand by name while they are used, and gone afterwards', async () => {
    const { id } = await at('lab', 'days/');
    const row = await sourceRows.getSource({ sql: store.database.sql, ...call.actor }, id);
    const files = [{ path: 'take.mcap' }];
    const recordings = await resolveRecordings(store, row!);
    const opened = await withFiles(recordings, { dataset_path: '1', files }, async (folder) => {
      expect(readFileSync(join(folder, 'take.mcap'), 'utf8')).toBe('x');
      return folder;
    });
    expect(existsSync(opened)).toBe(false);
    const none = withFiles(recordings, { dataset_path: '.', files }, async () => {});
    await expect(none).rejects.toMatchObject({ code: 'not_found' });
  });

  test('other buckets and prefixes are refused, and told which are allowed', async () => {
    for (const [bucket, prefix] of [
      ['elsewhere', ''],
      ['lab', ''],
      ['lab', 'day'],
      ['lab', 'daysoff/'],
      ['lab', 'nights/'],
    ]) {
      await expect(at(bucket, prefix)).rejects.toMatchObject({
        code: 'source_not_allowed',
        details: { allowed_buckets: ['lab/days', 'missing'] },
      });
    }
  });

  test('an empty prefix is said to be empty, a missing bucket unavailable', async () => {
    await expect(at('lab', 'days/2/')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(at('missing', '')).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
