import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standardDefinitions } from '@assay/ros-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { discover } from '#formats';
import { onPeers, peersPython } from '../support/peers.ts';
import { askScript, runScript } from './python-worker.ts';

const scratch = join(tmpdir(), `assay-interop-rosbag2-${process.pid}`);

beforeAll(async () => {
  if (!peersPython) return;
  mkdirSync(scratch);
  await runScript('peers', 'rosbag2_files.py', 'write', scratch);
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.skipIf(!peersPython)(onPeers('ROS 2 bags beside rosbags'), () => {
  it('have the built-in definitions that rosbags has, of every release', async () => {
    const known: Record<string, Record<string, string[]>> = await askScript(
      'peers',
      'rosbag2_files.py',
      'definitions',
    );
    let compared = 0;
    for (const types of Object.values(known)) {
      for (const [type, fields] of Object.entries(types)) {
        const roots = standardDefinitions(type).map((text) => text.split('\n===\n')[0]);
        expect(roots, type).toContain(fields.join('\n'));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(1200);
  });

  it.each([8, 9].flatMap((version) => ['none', 'file', 'message'].map((how) => `v${version}-${how}`)))(
    'are read as rosbags wrote them: %s',
    async (name) => {
      const { datasets } = await discover(join(scratch, name));
      const episodes: Episode[] = [];
      for (const { dataset } of datasets)
        for (const unit of dataset.units)
          for await (const episode of dataset.read(unit, {})) {
            if ('unreadable' in episode) throw new Error(episode.finding.message);
            episodes.push(episode);
          }
      expect(episodes).toHaveLength(1);
      const [{ streams, findings }] = episodes;
      const joints = streams.find(({ id }) => id === '/joint_states.position');
      expect(joints?.sample_count).toBe(100);
      const { values, dims } = joints?.series ?? { values: [], dims: 0 };
      expect([...values].slice(99 * dims, 99 * dims + 3)).toEqual([99, 49.5, -99]);
      const camera = streams.find(({ id }) => id === '/camera');
      expect([camera?.sample_count, camera?.frames?.declared_size_px]).toEqual([100, [64, 48]]);
      const wrong = findings.filter(({ severity }) => severity !== 'info');
      expect(wrong).toEqual([]);
    },
  );
});
