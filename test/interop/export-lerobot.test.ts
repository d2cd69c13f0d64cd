import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset } from '#assess/export';
import { temporaryFolder } from '#test/support/lerobot-set';

const python = process.env.ASSAY_LEROBOT_PYTHON;
const doctor = process.env.ASSAY_ROBOVET_PYTHON?.replace(/python[\d.]*$/, 'robovet');
const title = python
  ? 'an exported LeRobot set'
  : 'an exported LeRobot set (skipped: set ASSAY_LEROBOT_PYTHON)';
const real = join(import.meta.dirname, '../../../shared/data/lerobot-v21-g1-bottle');

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const script = (name: string, ...args: string[]) =>
  run(python ?? '', [join(import.meta.dirname, name), ...args]);

async function besideSource(source: string, only: string[]) {
  const folder = join(await temporaryFolder(), 'export');
  await exportDataset(source, folder, { only });
  const said = script('export_beside_source.py', source, folder).trimEnd();
  return { folder, seen: JSON.parse(said.slice(said.lastIndexOf('\n') + 1)) };
}

describe.skipIf(!python)(title, () => {
  it('from one that the library recorded gives the loader the same rows and the same pictures', async () => {
    const source = join(await temporaryFolder(), 'set');
    script('lerobot_library.py', 'write', source);
    const { folder, seen } = await besideSource(source, ['1', '3', '4']);
    expect(seen).toMatchObject({ episodes: 3, rows: 50 + 70 + 80, frames: 200, different: [] });
    expect(seen.batch).toMatchObject({ 'observation.images.front': [4, 3, 96, 128], action: [4, 2, 6] });
    if (doctor !== undefined) expect(run(doctor, ['doctor', folder])).toContain('0 fail');
  }, 300_000);

  it.skipIf(!existsSync(real))(
    'from a real one of version 2.1 does too',
    async () => {
      const { folder, seen } = await besideSource(real, ['1', '5']);
      expect(seen).toMatchObject({ episodes: 2, different: [] });
      expect(seen.rows).toBe(seen.frames);
      if (doctor !== undefined) expect(run(doctor, ['doctor', folder])).toContain('0 fail');
    },
    300_000,
  );
});
