import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset } from '#engine/local/export';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, onLeRobot, peersPython } from '#test/support/peers';
import { libraryRecording } from './lerobot-recording.ts';
import { robovetFailures } from './lerobot-validators.ts';
import { askScript } from './python-worker.ts';

const real = join(import.meta.dirname, '../../../shared/data/lerobot-v21-g1-bottle');

async function besideSource(source: string, only: string[]) {
  const folder = join(await temporaryFolder(), 'export');
  await exportDataset(source, folder, { only });
  if (peersPython) expect(await robovetFailures(folder)).toEqual([]);
  return askScript('lerobot', 'export_beside_source.py', source, folder);
}

describe.skipIf(!lerobotPython)(onLeRobot('an exported LeRobot set'), () => {
  it('from one that the library recorded gives the loader the same rows and the same pictures', async () => {
    const { folder: source } = await libraryRecording();
    const seen = await besideSource(source, ['1', '3', '4']);
    expect(seen).toMatchObject({ episodes: 3, rows: 50 + 70 + 80, frames: 200, different: [] });
    expect(seen.batch).toMatchObject({ 'observation.images.front': [4, 3, 96, 128], action: [4, 2, 6] });
  }, 300_000);

  it.skipIf(!existsSync(real))(
    'from a real one of version 2.1 does too',
    async () => {
      const seen = await besideSource(real, ['1', '5']);
      expect(seen).toMatchObject({ episodes: 2, different: [] });
      expect(seen.rows).toBe(seen.frames);
    },
    300_000,
  );
});
