import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import {
  closeFrameService,
  createSource,
  getFrame,
  listEpisodes,
  listStreams,
  startRun,
} from '#service/operations';
import { openRunService, type RunService } from './support/run-service.ts';
import { haveServers, onServers, startS3, type TestS3 } from './support/servers.ts';
import { uploadFolder } from './support/upload-folder.ts';

describe.skipIf(!haveServers)(onServers('frames of recordings in S3'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-frames-s3-'));
  const bucket = 'recordings';
  let s3: TestS3;
  let service: RunService;

  beforeAll(async () => {
    await writeTeleopLeRobot(join(folder, 'lerobot'), 7, () => {}, { episodes: 1, plan: {} });
    await writeTeleopMcap(join(folder, 'mcap'), 7, () => {}, { episodes: 1, plan: {} });
    s3 = await startS3();
    const { kind: _kind, bucket: _bucket, prefix: _prefix, ...connection } = await s3.bucket(bucket);
    await uploadFolder(s3, bucket, 'sets/', folder);
    service = await openRunService({ roots: [], source_access: { buckets: [bucket], s3: connection } });
  });
  afterAll(async () => {
    await closeFrameService(service.store);
    await service.close();
    await s3.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are decoded from a copy that does not stay', async () => {
    const { store, call, project_id } = service;
    const source = await createSource(store, call, { project_id, kind: 's3', bucket, prefix: 'sets/' });
    await service.ended((await startRun(store, call, { project_id, source_id: source.id })).id);
    const { items } = await listEpisodes(store, call, { project_id, sort: 'name', limit: 10 });
    expect(items.map(({ format }) => format).sort()).toEqual(['lerobot', 'mcap']);
    const held = () => readdirSync(join(store.source_access.cache_folder, 'held')).sort();
    const before = held();
    for (const { id } of items) {
      const streams = await listStreams(store, call, { episode_id: id });
      const camera = streams.items.find(({ links }) => links.frames !== null)!;
      const frame = await getFrame(store, call, {
        episode_id: id,
        stream_id: camera.id,
        at_s: 1,
        width_px: 64,
      });
      const { bytes, time_s } = await frame.picture();
      expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
      expect(time_s).toBeGreaterThan(0.9);
      expect(time_s).toBeLessThanOrEqual(1);
    }
    expect(held()).toEqual(before);
  });
});
