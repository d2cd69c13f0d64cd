import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { sha256 } from '#core';
import { verifyExport } from '#engine/local/export';
import { runAssay } from './run-assay.ts';
import { assessFolder } from './support/assessed-project.ts';
import { openCutDoor } from './support/cut-door.ts';
import { joinSharedService, type SharedService } from './support/shared-service.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-exports-e2e-'));
let service: SharedService;
let recordings: string;
let project_id: string;
let base: string;
let export_id: string;
let seal: string;

beforeAll(async () => {
  service = await joinSharedService();
  recordings = join(service.recordings, 'arms');
  await writeTeleopLeRobot(recordings, 5, () => {}, { episodes: 6, plan: { 3: ['nan', 'medium'] } });
  project_id = await assessFolder(service, recordings);
  base = `/v1/projects/${project_id}/exports`;
}, 300_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const cli = (args: readonly string[], address = service.address) =>
  runAssay(['export', '--url', address, '--token', service.token, ...args]);
const fetched = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, ...headers },
  });

test('the command line exports a project, follows it and brings it here as it was sealed', async () => {
  const out = join(place, 'out');
  const ran = await cli(['--project', 'all', '--out', out, '--json']);
  expect(ran.code, ran.err).toBe(0);
  const made = JSON.parse(ran.out);
  expect(made).toMatchObject({ status: 'succeeded', project_id, episodes: { kept: 5, dropped: 1 } });
  const { lineage, problems } = await verifyExport(out);
  expect(problems).toEqual([]);
  expect(lineage.seal).toBe(made.seal);
  expect(readdirSync(place).filter((name) => name.startsWith('.out'))).toEqual([]);
  ({ id: export_id, seal } = made);
  const again = await cli(['--project', 'all', '--export', export_id, '--out', out]);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('not empty')]);
  const full = await cli(['--project', 'all', '--out', out]);
  expect([full.code, full.err]).toEqual([2, expect.stringContaining('not empty')]);
  const { items } = (await (await fetched(base)).json()) as { items: { id: string }[] };
  expect(items.map(({ id }) => id)).toEqual([export_id]);
  const none = await cli(['--project', 'nobody', '--out', join(place, 'none')]);
  expect(none.code).toBe(3);
  expect((await cli([])).code).toBe(2);
});

test('an export takes along what was annotated, and what a person wrote before the machine’s', async () => {
  const address = ['--url', service.address, '--token', service.token, '--project', project_id];
  for (const layer of ['captions', 'dense_text']) {
    const job = await runAssay(['annotate', ...address, '--layer', layer, '--force']);
    expect(job.code, job.err).toBe(0);
  }
  const plain = await cli(['--project', project_id, '--out', join(place, 'without-language'), '--json']);
  expect(JSON.parse(plain.out)).toMatchObject({ seal, chosen: { annotations: null } });
  const set = join(place, 'with-language');
  const exported = await cli(['--project', project_id, '--annotations', '--out', set]);
  expect(exported.code, exported.err).toBe(0);
  const { lineage: told } = await verifyExport(set);
  const every = ['segments', 'captions', 'dense_text'];
  expect(told.edits).toContainEqual({ edit: 'add_annotations', layers: every, episodes: 5 });
  const { features } = JSON.parse(readFileSync(join(set, 'meta/info.json'), 'utf8'));
  expect(features.language_persistent).toEqual({ dtype: 'language', shape: [1], names: null });
  // A folder's annotations give the same bytes.
  const [said, local] = [join(place, 'said'), join(place, 'local')];
  await runAssay(['annotate', recordings, '--layers', every.join(','), '--out', said]);
  await runAssay(['export', recordings, '--annotations', said, '--out', local]);
  const { lineage: own } = await verifyExport(local);
  expect(own.files).toEqual(told.files);
  const hashes = ({ kept }: typeof told) => kept.map(({ annotations }) => annotations);
  expect(hashes(own)).toEqual(hashes(told));
  const { items: episodes } = await service.ask('GET', `/v1/projects/${project_id}/episodes?sort=name`);
  const written = `/v1/projects/${project_id}/episodes/${episodes[0].id}/annotations/dense_text`;
  await service.ask('PUT', written, { text: 'A person says so.' });
  const folder = await cli(['--project', project_id, '--annotations', place, '--out', set]);
  expect([folder.code, folder.err]).toEqual([2, expect.stringContaining('leave the folder out')]);
  const zarr = { format: 'zarr-replay-buffer', annotations: true };
  const refused = await service.request('POST', base, zarr);
  expect([refused.status, refused.body.code]).toEqual([422, 'invalid_request']);
  const out = join(place, 'annotated');
  const ran = await cli(['--project', project_id, '--format', 'webdataset', '--annotations', '--out', out]);
  expect(ran.code, ran.err).toBe(0);
  const { lineage, problems } = await verifyExport(out);
  expect(problems).toEqual([]);
  const layers = expect.arrayContaining(['captions', 'dense_text']);
  expect(lineage.edits).toContainEqual({ edit: 'add_annotations', layers, episodes: 5 });
  expect(lineage.kept[0].annotations).toMatchObject({ dense_text: sha256('A person says so.') });
  const first = execFileSync('tar', ['-xOf', join(out, 'shard-000000.tar'), '000000_000010.json']);
  const { caption, dense_text, segment } = JSON.parse(first.toString());
  expect(dense_text).toEqual({ text: 'A person says so.', source: 'person' });
  expect(caption.text).not.toBe('');
  expect(segment.to_s).toBeGreaterThan(segment.from_s);
  const other = execFileSync('tar', ['-xOf', join(out, 'shard-000000.tar'), '000001_000010.json']);
  expect(JSON.parse(other.toString()).dense_text).toMatchObject({
    text: expect.stringContaining('The task is'),
    source: 'machine',
  });
}, 120_000);

test('a download that is cut goes on where it stopped', async () => {
  const door = await openCutDoor(service.address);
  try {
    door.cut(60_000, 3);
    const out = join(place, 'cut');
    const ran = await cli(['--project', project_id, '--export', export_id, '--out', out], door.endpoint);
    expect(ran.code, ran.err).toBe(0);
    expect(door.cuts).toBe(0);
    expect((await verifyExport(out)).lineage.seal).toBe(seal);
  } finally {
    await door.close();
  }
}, 60_000);

test.each(['tar', 'zip'])('a %s has the same bytes whole and in parts, and opens', async (as) => {
  const path = `${base}/${export_id}/download?as=${as}`;
  const whole = await fetched(path);
  expect(whole.status).toBe(200);
  expect(whole.headers.get('etag')).toBe(`"${seal}"`);
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(Number(whole.headers.get('content-length'))).toBe(bytes.length);
  const head = await fetched(path, {}, 'HEAD');
  expect(head.headers.get('content-length')).toBe(String(bytes.length));
  const middle = Math.floor(bytes.length / 3);
  const parts = [`0-${middle - 1}`, `${middle}-${2 * middle}`, `${2 * middle + 1}-`];
  const got: Buffer[] = [];
  for (const part of parts) {
    const answer = await fetched(path, { range: `bytes=${part}`, 'if-range': `"${seal}"` });
    expect(answer.status).toBe(206);
    got.push(Buffer.from(await answer.arrayBuffer()));
  }
  expect(sha256(Buffer.concat(got))).toBe(sha256(bytes));
  const last = await fetched(path, { range: 'bytes=-10' });
  expect(last.headers.get('content-range')).toBe(
    `bytes ${bytes.length - 10}-${bytes.length - 1}/${bytes.length}`,
  );
  const changed = await fetched(path, { range: 'bytes=5-', 'if-range': '"another"' });
  expect(changed.status).toBe(200);
  await changed.body?.cancel();
  const beyond = await fetched(path, { range: `bytes=${bytes.length}-` });
  expect([beyond.status, await beyond.json()]).toMatchObject([416, { code: 'range_not_satisfiable' }]);
  expect((await fetched(path, { 'if-none-match': `"${seal}"` })).status).toBe(304);
  const folder = join(place, `un${as}`);
  mkdirSync(folder);
  const archive = join(place, `export.${as}`);
  writeFileSync(archive, bytes);
  if (as === 'tar') execFileSync('tar', ['-xf', archive, '-C', folder]);
  else if (hasPython()) execFileSync('python3', ['-m', 'zipfile', '-e', archive, folder]);
  else return;
  expect((await verifyExport(folder)).problems).toEqual([]);
});

test('one file comes in parts as well, and its tag is its hash', async () => {
  const { items } = await service.ask('GET', `${base}/${export_id}/files?limit=2`);
  const [{ path, bytes, sha256: hash }] = items;
  const own = `${base}/${export_id}/files/${path}`;
  const whole = await fetched(own);
  expect(whole.headers.get('etag')).toBe(`"${hash}"`);
  expect(sha256(Buffer.from(await whole.arrayBuffer()))).toBe(hash);
  const part = await fetched(own, { range: 'bytes=1-3' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1-3/${bytes}`]);
  const { body } = await service.request('GET', `${base}/${export_id}/lineage`);
  expect(body.seal).toBe(seal);
});

test('a source that is gone, or a project without episodes, is told before anything is queued', async () => {
  const workspace = await service.ask('POST', '/v1/workspaces', {
    ...{ name: 'two', use_case: 'robotic-manipulation' },
  });
  const empty = { workspace_id: workspace.id, name: 'empty', target_profile: 'vla' };
  const { id } = await service.ask('POST', '/v1/projects', empty);
  const none = await service.request('POST', `/v1/projects/${id}/exports`, {});
  expect([none.status, none.body.code]).toEqual([409, 'not_ready']);
  const format = await service.request('POST', base, { format: 'floppy' });
  expect([format.status, format.body.code]).toEqual([422, 'invalid_request']);
  const key = { 'idempotency-key': 'once' };
  const [first, again] = [
    await service.request('POST', base, {}, key),
    await service.request('POST', base, {}, key),
  ];
  expect(again.body.id).toBe(first.body.id);
  for (;;) {
    const { status } = await service.ask('GET', `${base}/${first.body.id}`);
    if (status === 'succeeded') break;
    await wait(50);
  }
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
