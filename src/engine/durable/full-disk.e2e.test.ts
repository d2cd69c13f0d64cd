import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openRunService } from '#test/support/run-service';
import { generateNumericSet } from '../../../bench/lerobot/generate-set.ts';
import { checkReadiness, getRun, startRun } from '../../service/operations/index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-full-disk-'));
const [numbers, disk] = [join(place, 'numbers'), join(place, 'disk')];
for (const folder of [numbers, disk]) mkdirSync(folder);
const mounted = mountSmallDisk();
afterAll(() => {
  if (mounted) execFileSync('umount', ['-l', disk]);
  rmSync(place, { recursive: true, force: true });
});

test.skipIf(!mounted)(
  'a run on a full disk waits and says so, the service is not ready, and both go on when there is room (needs root)',
  async () => {
    await generateNumericSet(numbers, 60, 1500);
    const service = await openRunService({
      roots: [place],
      patience_ms: 120_000,
      blobs: { kind: 'folder', folder: join(disk, 'blobs') },
    });
    onTestFinished(() => service.close());
    const { store, call, project_id } = service;
    await checkReadiness(store);
    const filler = join(disk, 'filler');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 64 * 1024));
    const { id: run_id } = await startRun(store, call, {
      project_id,
      source_id: await service.source(numbers),
    });
    const now = () => getRun(store, call, { run_id });
    let run = await now();
    for (; run.waiting === null; run = await now()) await wait(20);
    expect(run).toMatchObject({ status: 'running', waiting: { code: 'storage_unavailable' }, error: null });
    await expect(store.blobs.probe()).rejects.toMatchObject({ code: 'storage_unavailable' });
    // An answer is kept for a second.
    for (let ready = true; ready; await wait(50))
      ready = await checkReadiness(store).then(
        () => true,
        ({ code }) => code !== 'storage_unavailable',
      );
    rmSync(filler);
    expect(await service.ended(run_id)).toMatchObject({ status: 'succeeded', episodes: { judged: 60 } });
    await store.blobs.probe();
  },
  120_000,
);

/** Whether it could: mounting needs root. */
function mountSmallDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
