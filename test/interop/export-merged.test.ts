import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset } from '#assess/export';
import { temporaryFolder } from '#test/support/lerobot-set';

const python = process.env.ASSAY_LEROBOT_PYTHON;
const robovet = process.env.ASSAY_ROBOVET_PYTHON?.replace(/python[\d.]*$/, 'robovet');
const title = python ? 'sets that were merged' : 'sets that were merged (skipped: set ASSAY_LEROBOT_PYTHON)';

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const script = (name: string, ...args: string[]) => {
  const said = run(python ?? '', [join(import.meta.dirname, name), ...args]).trimEnd();
  return JSON.parse(said.slice(said.lastIndexOf('\n') + 1));
};

/** The same recording under the name `set`, as recorded by the library. */
async function recorded(names: readonly string[]): Promise<string[]> {
  const folder = await temporaryFolder();
  for (const name of names) script('lerobot_library.py', 'write', join(folder, name));
  return names.map((name) => join(folder, name));
}

describe.skipIf(!python)(title, () => {
  it('are for the library what each of them was, and what its own merge says of them', async () => {
    const sources = await recorded(['arm', 'desk']);
    const folder = join(await temporaryFolder(), 'merged');
    const only = ['arm', 'desk'].flatMap((name) => [0, 1, 2, 3, 4].map((episode) => `${name}:${episode}`));
    const { lineage } = await exportDataset(sources[0], folder, { merge: [sources[1]], only });
    expect(lineage?.sources?.map(({ name, files }) => [name, files.length > 0])).toEqual([
      ['arm', true],
      ['desk', true],
    ]);
    const seen = script('export_merged.py', folder, ...sources);
    expect(seen).toMatchObject({ episodes: 10, rows: 600, compared: 600, different: [], statistics: [] });
    expect(seen.tasks).toEqual(seen.library_tasks);
    if (robovet !== undefined) expect(run(robovet, ['doctor', folder])).toContain('0 fail');
  }, 300_000);

  it('are refused where they differ, with what differs, before anything is measured', async () => {
    const sources = await recorded(['arm', 'desk']);
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
