import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportDataset } from '#assess/export';
import { sha256 } from '#kernel';
import { writeTeleopLeRobot } from '#samples';
import {
  createExport,
  createSource,
  deleteExport,
  downloadExport,
  getExport,
  getExportLineage,
  listExportFiles,
  startRun,
} from '#services';
import { openRunService, type RunService } from './support/run-service.ts';
import { haveServers, onServers, startS3, type TestS3 } from './support/servers.ts';
import { uploadFolder } from './support/upload-folder.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-s3-exports-'));
const recordings = join(place, 'set');

describe.skipIf(!haveServers)(onServers('exports with blobs and recordings in S3'), () => {
  let s3: TestS3;
  let service: RunService;
  beforeAll(async () => {
    s3 = await startS3();
    const blobs = await s3.bucket('blobs', 'assay');
    const { region, endpoint, force_path_style, access_key_id, secret_access_key } = await s3.bucket('lab');
    await writeTeleopLeRobot(recordings, 5, () => {}, { episodes: 6, plan: { 3: ['nan', 'medium'] } });
    await uploadFolder(s3, 'lab', 'day 1/arms/', recordings);
    const reached = { region, endpoint, force_path_style, access_key_id, secret_access_key };
    service = await openRunService({
      roots: [],
      blobs: { ...blobs, scratch_folder: join(place, 'scratch') },
      source_access: { buckets: ['lab'], s3: reached as never },
    });
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await s3?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  test('hold what a local export holds, also of a dataset below the prefix, and leave nothing behind', async () => {
    const { store, call, project_id } = service;
    const at = { kind: 's3', bucket: 'lab', prefix: 'day 1/' } as const;
    const { id: source_id } = await createSource(store, call, { project_id, ...at });
    const run = await service.ended((await startRun(store, call, { project_id, source_id })).id);
    expect(run.error).toBeNull();
    const wish = { format: 'lerobot-v3', episodes: { decisions: ['accept'] }, purpose: 'training' } as const;
    let made = await createExport(store, call, { project_id, ...wish });
    const path = { project_id, export_id: made.id };
    while (made.status === 'queued' || made.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      made = await getExport(store, call, path);
    }
    expect(made).toMatchObject({ status: 'succeeded', error: null, dataset_path: 'arms' });
    const { lineage } = await exportDataset(recordings, join(place, 'local'), {});
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
