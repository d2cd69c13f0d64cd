import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { sha256 } from '#core';
import { assess } from '#engine/local';
import { exportDataset } from '#engine/local/export';
import {
  beginUploadFile,
  completeSource,
  createExport,
  createProject,
  createSource,
  createWorkspace,
  deleteExport,
  downloadExport,
  finishUploadFile,
  getExport,
  getExportLineage,
  listExportFiles,
  setUseCase,
  startRun,
} from '#service/operations';
import { stageUploadFile, stagingFolder } from '#store';
import { receiptsOf } from './support/run-receipts.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { haveServers, onServers, startS3, type TestS3 } from './support/servers.ts';
import { rounds } from './support/tiers.ts';
import { sha256Of } from './support/tus-client.ts';
import { uploadFolder } from './support/upload-folder.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-s3-runs-'));
const arms = join(place, 'set');

describe.skipIf(!haveServers)(onServers('a service with blobs and recordings in S3'), () => {
  let s3: TestS3;
  let service: RunService;
  const recordings = join(place, 'logs');
  beforeAll(async () => {
    await writeTeleopMcap(recordings, 7, () => {}, { episodes: rounds(4, 24), plan: {} });
    s3 = await startS3();
    const blobs = await s3.bucket('blobs', 'assay');
    const { region, endpoint, force_path_style, access_key_id, secret_access_key } = await s3.bucket('lab');
    await uploadFolder(s3, 'lab', 'day 1/', recordings);
    await writeTeleopLeRobot(arms, 5, () => {}, { episodes: 6, plan: { 3: ['nan', 'medium'] } });
    await uploadFolder(s3, 'lab', 'day 2/arms/', arms);
    const reached = { region, endpoint, force_path_style, access_key_id, secret_access_key };
    service = await openRunService({
      roots: [],
      blobs: { ...blobs, scratch_folder: join(place, 'scratch') },
      source_access: { buckets: ['lab'], s3: reached as never },
    });
  });
  afterAll(async () => {
    await service?.close();
    await s3?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  const run = async (source_id: string) => {
    const { store, call, project_id } = service;
    const started = await startRun(store, call, { project_id, source_id });
    const ended = await service.ended(started.id);
    expect(ended.error).toBeNull();
    const result = await assess(recordings, { receipts: true, settings: ended.settings });
    expect(await receiptsOf(service, ended.id)).toEqual([...result.receipts()].sort());
    await result.close();
  };

  test('runs on a prefix with the receipts of the same folder, byte for byte', async () => {
    const { store, call, project_id } = service;
    const at = { kind: 's3', bucket: 'lab', prefix: 'day 1/' } as const;
    await run((await createSource(store, call, { project_id, ...at })).id);
  }, 300_000);

  test('runs on what was uploaded with the same receipts', async () => {
    const { store, call, project_id } = service;
    const opened = { project_id, kind: 'upload', name: 'sent' } as const;
    const { id: source_id } = await createSource(store, call, { ...opened, files: [] });
    for (const path of readdirSync(recordings, { recursive: true, encoding: 'utf8' })) {
      if (!statSync(join(recordings, path)).isFile()) continue;
      const bytes = readFileSync(join(recordings, path));
      const file = { source_id, path, bytes: bytes.length, sha256: sha256Of(bytes) };
      const id = await beginUploadFile(store, call, file);
      await stageUploadFile(store, id, { fresh: true });
      writeFileSync(join(stagingFolder(store), id), bytes);
      await finishUploadFile(store, call, { id });
    }
    await completeSource(store, call, { source_id });
    await run(source_id);
    expect(readdirSync(stagingFolder(store))).toEqual([]);
    const held = readdirSync(join(store.source_access.cache_folder, 'held'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(held.filter((entry) => entry.isFile())).toEqual([]);
  }, 300_000);

  test('exports what a local export holds, also of a dataset below the prefix, and leaves nothing behind', async () => {
    const { store, call } = service;
    const workspace = await createWorkspace(store, call, { name: 'arms', use_case: 'data-assessment' });
    const wanted = { workspace_id: workspace.id, name: 'arms', target_profile: 'vla' } as const;
    const { id: project_id } = await createProject(store, call, wanted);
    const at = { kind: 's3', bucket: 'lab', prefix: 'day 2/' } as const;
    const { id: source_id } = await createSource(store, call, { project_id, ...at });
    const run = await service.ended((await startRun(store, call, { project_id, source_id })).id);
    expect(run.error).toBeNull();
    // A use case without changed weights, like a folder.
    const use_case = 'robotic-manipulation';
    await setUseCase(store, call, { workspace_id: workspace.id, use_case, unfit_projects: 'refuse' });
    const wish = { format: 'lerobot-v3', episodes: { decisions: ['accept'] }, purpose: 'training' } as const;
    let made = await createExport(store, call, { project_id, ...wish });
    const path = { project_id, export_id: made.id };
    while (made.status === 'queued' || made.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      made = await getExport(store, call, path);
    }
    expect(made).toMatchObject({ status: 'succeeded', error: null, dataset_path: 'arms' });
    const { lineage } = await exportDataset(arms, join(place, 'local'), {});
    const { items } = await listExportFiles(store, call, { ...path, limit: 500 });
    expect(items.filter((file) => file.path !== 'assay-lineage.json')).toEqual(lineage?.files);
    const { json } = await getExportLineage(store, call, path);
    expect(JSON.parse(Buffer.from(json).toString()).kept).toEqual(lineage?.kept);
    const { body } = await downloadExport(store, call, { ...path, as: 'tar' });
    const [whole, rest] = [await read(body.open(0, body.bytes)), await read(body.open(1000, body.bytes))];
    expect(whole.length).toBe(body.bytes);
    expect(sha256(whole.subarray(1000))).toBe(sha256(rest));
    const left = [join(store.data_folder, 'scratch'), join(store.source_access.cache_folder, 'held')];
    expect(left.flatMap(filesBelow)).toEqual([]);
    await deleteExport(store, call, path);
    const keys: string[] = [];
    for await (const { key } of store.blobs.list(`${call.actor.tenant_id}/${made.id}/`)) keys.push(key);
    expect(keys).toEqual([]);
  }, 300_000);
});

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

async function read(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
