import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '../src/apps/samples/index.ts';
import { assessInto } from '../src/engine/local/index.ts';
import { runScript } from './interop/python-worker.ts';

const page = readFileSync(new URL('../docs/verdicts.md', import.meta.url), 'utf8');
const [filter, load] = [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code);
const lerobot = process.env.ASSAY_LEROBOT_PYTHON;

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import json'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const reason = hasPython() ? '' : ' (skipped: no python3 on this machine)';

it('docs/verdicts.md says what to do with rejects: read why, fix, leave out', () => {
  const [, section] = /^## What to do with rejects\n([\s\S]*?)^## /m.exec(page)!;
  for (const named of ['`What to do`', '`assay fix PATH`', '`--apply`', '`assay export PATH --out training`'])
    expect(section).toContain(named);
});

describe.skipIf(reason !== '')(`the Python of docs/verdicts.md${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-readme-'));
  const run = (python: string, code: string) =>
    execFileSync(python, ['-c', code], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  beforeAll(async () => {
    const set = join(folder, 'data/pick-place');
    mkdirSync(join(folder, 'data'));
    await writeTeleopLeRobot(set, 7, () => {}, { episodes: 3, plan: { 1: ['nan', 'medium'] } });
    await (await assessInto(join(folder, 'report'), set, { thumbnails: 0 })).close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds the accepted episodes and says why others were rejected', () => {
    const [rejected, accepted] = run('python3', `${filter}\nprint(accepted)`).trim().split('\n');
    expect(rejected).toMatch(/^episode_000001 \['non_finite_values'/);
    expect(accepted).toBe('[0, 2]');
  });

  const withLibrary = lerobot === undefined ? ' (skipped: set ASSAY_LEROBOT_PYTHON)' : '';
  it.skipIf(lerobot === undefined)(`loads these alone with the LeRobot library${withLibrary}`, async () => {
    const start = `import os, lerobot_library\nos.chdir(${JSON.stringify(folder)})`;
    const end = 'print(sorted({int(i) for i in dataset.hf_dataset["episode_index"]}))';
    const script = join(folder, 'load.py');
    writeFileSync(script, [start, filter, load, end].join('\n'));
    expect((await runScript('lerobot', script)).trim().split('\n').at(-1)).toBe('[0, 2]');
  });
});
