import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { assessFolder } from './support/assessed-project.ts';
import { untilEnded } from './support/kills.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { rounds } from './support/tiers.ts';

/** Each writes in its own way. */
const formats = ['lerobot-v3', 'webdataset', 'zarr-replay-buffer', 'mcap', 'coco-detection'].slice(
  0,
  rounds(1, 5),
);
const place = mkdtempSync(join(tmpdir(), 'assay-test-exports-full-disk-'));
const [recordings, data] = [join(place, 'recordings'), join(place, 'data')];
/** Folder on a small disk of its own in which exports are written before they are stored. */
const scratch = join(data, 'scratch');
mkdirSync(scratch, { recursive: true });
const mounted = mountSmallDisk();

afterAll(() => {
  if (mounted) execFileSync('umount', ['-l', scratch]);
  rmSync(place, { recursive: true, force: true });
});

describe.skipIf(!mounted)('an export on a full disk (needs root)', () => {
  let service: ServiceProcess;
  let exportsPath: string;
  const filler = join(scratch, 'filler');

  beforeAll(async () => {
    await writeTeleopLeRobot(recordings, 5, () => {}, { episodes: 4, plan: {} });
    service = await startServiceProcess({ data, roots: [recordings] });
    exportsPath = `/v1/projects/${await assessFolder(service, recordings)}/exports`;
  }, 300_000);
  afterAll(() => service?.stop());

  test.each(formats)(
    'waits as %s, says so, and goes on to the same seal when there is room',
    async (format) => {
      const { id: before } = await service.ask('POST', exportsPath, { format });
      const { seal } = await untilEnded(service, `${exportsPath}/${before}`);
      expect(seal).not.toBeNull();
      const { bavail, bsize } = statfsSync(scratch);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 64 * 1024));
      const { id } = await service.ask('POST', exportsPath, { format });
      let now = await service.ask('GET', `${exportsPath}/${id}`);
      for (
        ;
        now.waiting === null && now.error === null;
        now = await service.ask('GET', `${exportsPath}/${id}`)
      )
        await wait(50);
      expect(now).toMatchObject({ status: 'running', error: null, seal: null });
      expect(['storage_unavailable', 'output_unwritable']).toContain(now.waiting.code);
      expect((await service.request('GET', `${exportsPath}/${id}/lineage`)).status).toBe(409);
      rmSync(filler);
      expect(await untilEnded(service, `${exportsPath}/${id}`)).toMatchObject({ status: 'succeeded', seal });
    },
    120_000,
  );
});

/** True if the disk was mounted, which needs root. */
function mountSmallDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', scratch], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
