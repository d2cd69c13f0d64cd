import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAssay } from '../run-assay.ts';
import { copyBottleSet, hasBottleSet } from '../support/bottle-set.ts';
import { lerobotPython, onLeRobot } from '../support/peers.ts';
import { runScript } from './python-worker.ts';

const tutorial = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
/** Code blocks of the tutorial in order, each with the output that the page promises. */
const steps = [...tutorial.matchAll(/```(sh|python)\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)].map(
  ([, language, code, said]) => ({ language, code: code.trim(), said }),
);
const commands = steps.filter(({ language }) => language === 'sh');

/** Collapses whitespace, so that columns and wrapped lines compare equal. */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

const reason = hasBottleSet ? '' : ' (skipped: no ../shared/data)';

describe.skipIf(!hasBottleSet)(`the tutorial${reason}`, { timeout: 500_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tutorial-'));
  beforeAll(() => copyBottleSet(join(folder, 'data/bottle')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const demandSaid = (out: string, said = '') => {
    for (const line of said.split('\n').filter((each) => each.trim() !== ''))
      expect(flat(out)).toContain(flat(line).trim());
  };

  it.each(commands)('$code gives what the page says', async ({ code, said }) => {
    const [program, ...args] = code.split(' ');
    expect(program).toBe('assay');
    const { code: exit, out, err } = await runAssay(args, { cwd: folder });
    expect([exit, exit === 0 ? '' : err]).toEqual([0, '']);
    demandSaid(out, said);
  });

  it('shows what comes out of every command', () => {
    expect(commands.length).toBe(6);
    expect(steps.filter(({ said }) => said === undefined)).toEqual([]);
  });

  it.skipIf(!lerobotPython)(onLeRobot('trains a step on what was exported'), async () => {
    const [step] = steps.filter(({ language }) => language === 'python');
    const script = join(folder, 'train.py');
    writeFileSync(script, `import os, lerobot_library\nos.chdir(${JSON.stringify(folder)})\n${step.code}`);
    demandSaid(await runScript('lerobot', script), step.said);
  });
});
