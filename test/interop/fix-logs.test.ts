import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { applyPlan, planFixes } from '#formats/fix';
import { onPeers, peersPython } from '../support/peers.ts';
import { runScript } from './python-worker.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const present = existsSync(join(data, 'mcap')) && existsSync(join(data, 'rosbag'));
const subject = 'real logs that were cut off and fixed';
const title = present ? onPeers(subject) : `${subject} (skipped: no ../shared/data)`;

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-logs-'));

describe.skipIf(!peersPython || !present)(title, () => {
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  it.each([
    ['mcap/rosbags-rs/tests/test_bags/test_bag_mcap/test_bag_mcap.mcap', 0.7, 188],
    ['mcap/rosbag2/rosbag2_py/test/resources/mcap/wbag/wbag_0.mcap', 0.7, 1246],
    ['mcap/robologs-ros-actions/actions/rosbag_to_mcap/test/expected_output/tiny.mcap', 0.7, 4],
    ['rosbag/PlotJuggler/datasamples/tilt_laser.bag', 0.9, 3765],
    ['rosbag/rosbag/fixtures/example-bz2.bag', 0.9, 8647],
    ['rosbag/rosbag/fixtures/example-lz4.bag', 0.5, 6301],
  ])(
    '%s: the usual libraries read every whole message by the index',
    { timeout: 120_000 },
    async (file, share, messages) => {
      const only = `log${extname(file)}`;
      const path = join(scratch, only);
      await rm(path, { force: true });
      await cp(join(data, file), path, { mode: 0 });
      execFileSync('chmod', ['u+w', path]);
      await truncate(path, Math.floor((await stat(path)).size * share));
      const plan = await planFixes({ root: scratch, file: only }, { stamps: false, video: false });
      await applyPlan(plan, new Date().toISOString());
      expect(JSON.parse(await runScript('peers', 'fix_logs.py', path))).toEqual([messages, messages]);
    },
  );

  it.each([
    ['mcap', 'wbag_2.mcap', 0.25],
    ['sqlite3', 'wbag_2.db3', 0.6],
  ])(
    'the parts of a bag in %s without their metadata.yaml, one of them cut off: rosbags reads what is whole',
    { timeout: 120_000 },
    async (storage, part, share) => {
      const folder = await mkdtemp(join(scratch, 'bag-'));
      const bag = join(data, 'mcap/rosbag2/rosbag2_py/test/resources', storage, 'wbag');
      await cp(bag, folder, { recursive: true });
      execFileSync('chmod', ['-R', 'u+w', folder]);
      const count = async (): Promise<readonly [number, number]> =>
        JSON.parse(await runScript('peers', 'fix_logs.py', folder));
      const whole = await count();
      await rm(join(folder, 'metadata.yaml'));
      const cut = join(folder, part);
      await truncate(cut, Math.floor((await stat(cut)).size * share));
      const plan = await planFixes({ root: folder, file: null }, { stamps: false, video: false });
      await applyPlan(plan, new Date().toISOString());
      const [read, indexed] = await count();
      expect(read).toBe(indexed);
      expect(read).toBeLessThan(whole[0]);
      expect(read).toBeGreaterThan(whole[0] * 0.8);
    },
  );
});
