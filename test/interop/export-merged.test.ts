import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset } from '#engine/local/export';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, onLeRobot, peersPython } from '#test/support/peers';
import { copyOfRecording } from './lerobot-recording.ts';
import { robovetFailures } from './lerobot-validators.ts';
import { askScript } from './python-worker.ts';

describe.skipIf(!lerobotPython)(onLeRobot('sets that were merged'), () => {
  it('are for the library what each of them was, and what its own merge says of them', async () => {
    const sources = [await copyOfRecording('arm'), await copyOfRecording('desk')];
    const folder = join(await temporaryFolder(), 'merged');
    const only = ['arm', 'desk'].flatMap((name) => [0, 1, 2, 3, 4].map((episode) => `${name}:${episode}`));
    const { lineage } = await exportDataset(sources[0], folder, { merge: [sources[1]], only });
    expect(lineage?.sources?.map(({ name, files }) => [name, files.length > 0])).toEqual([
      ['arm', true],
      ['desk', true],
    ]);
    const seen = await askScript('lerobot', 'export_merged.py', folder, ...sources);
    expect(seen).toMatchObject({ episodes: 10, rows: 600, compared: 600, different: [], statistics: [] });
    expect(seen.tasks).toEqual(seen.library_tasks);
    if (peersPython) expect(await robovetFailures(folder)).toEqual([]);
  }, 300_000);

  it('are refused where they differ, with what differs, before anything is measured', async () => {
    const sources = [await copyOfRecording('arm'), await copyOfRecording('desk')];
    const path = join(sources[1], 'meta/info.json');
    const info = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...info, fps: 25, robot_type: 'koch' }));
    const stages = new Set<string>();
    const hooks = { onProgress: ({ stage }: { stage: string }) => void stages.add(stage) };
    const folder = join(await temporaryFolder(), 'merged');
    const refused = exportDataset(sources[0], folder, { merge: [sources[1]] }, hooks);
    await expect(refused).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/fps is 30 in arm and 25 in desk\n.*robot_type is .*koch in desk/),
    });
    expect([...stages].filter((stage) => stage !== 'look')).toEqual([]);
  }, 300_000);
});
