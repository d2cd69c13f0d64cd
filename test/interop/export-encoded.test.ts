import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExportOptions, exportDataset } from '#assess/export';
import { temporaryFolder } from '#test/support/lerobot-set';

const python = process.env.ASSAY_LEROBOT_PYTHON;
const robovet = process.env.ASSAY_ROBOVET_PYTHON?.replace(/python[\d.]*$/, 'robovet');
const title = python
  ? 'videos that are encoded again'
  : 'videos that are encoded again (skipped: set ASSAY_LEROBOT_PYTHON)';

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const script = (name: string, ...args: string[]) => {
  const said = run(python ?? '', [join(import.meta.dirname, name), ...args]).trimEnd();
  return JSON.parse(said.slice(said.lastIndexOf('\n') + 1));
};

const only = ['0', '1'];

describe.skipIf(!python)(title, () => {
  let source: string;
  beforeAll(async () => {
    source = join(await temporaryFolder(), 'set');
    script('lerobot_library.py', 'write', source);
  }, 120_000);

  it.each<[ExportOptions, object, string]>([
    [{ edits: { video: ['h264'] } }, { rows: 90, fps: 30, codecs: ['h264'], shape: [3, 96, 128] }, 'h264'],
    [
      { edits: { video: ['h265'], size: ['64x48'], trim: ['0.2..'] } },
      { rows: 78, fps: 30, codecs: ['hevc'], shape: [3, 48, 64] },
      'hevc',
    ],
    [{ rate_hz: 15 }, { fps: 15, codecs: ['h264'], shape: [3, 96, 128] }, 'h264'],
    [
      { rate_hz: 60, edits: { video: ['av1'] } },
      { fps: 60, codecs: ['libdav1d'], shape: [3, 96, 128] },
      'av1',
    ],
  ])(
    'are the pictures of their rows for the library: %j',
    async (options, expected, codec) => {
      const folder = join(await temporaryFolder(), 'export');
      const { lineage } = await exportDataset(source, folder, { ...options, only });
      expect(lineage?.edits).toContainEqual(expect.objectContaining({ edit: 'encode', episodes: 2 }));
      const seen = script('export_encoded.py', source, folder);
      expect(seen).toMatchObject({ ...expected, declared: codec, different: [] });
      expect(seen.rows).toBe(seen.total);
      expect(seen.least_psnr).toBeGreaterThan(28);
      if (robovet !== undefined) expect(run(robovet, ['doctor', folder])).toContain('0 fail');
    },
    300_000,
  );

  it('are copied where they are what was asked for', async () => {
    const folder = join(await temporaryFolder(), 'export');
    const { lineage } = await exportDataset(source, folder, { only, edits: { video: ['av1'] } });
    expect(lineage?.edits).not.toContainEqual(expect.objectContaining({ edit: 'encode' }));
    expect(script('export_beside_source.py', source, folder)).toMatchObject({ episodes: 2, different: [] });
  }, 300_000);
});
