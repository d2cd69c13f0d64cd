import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder, writeSet } from './support/lerobot-set.ts';

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
const action: Action = parse(readFileSync('action.yml', 'utf8'));

interface Ran {
  readonly code: number | null;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly log: string;
}

/** Runs the steps that have a shell, as a runner does; those that are actions of others are passed over. */
async function runAction(inputs: Readonly<Record<string, string>>): Promise<Ran> {
  const folder = await temporaryFolder();
  const [output, summary] = [join(folder, 'output'), join(folder, 'summary')];
  const outputs: Record<string, string> = {};
  let log = '';
  const filled = (text: string) =>
    text.replaceAll(/\$\{\{ (inputs|steps\.assess\.outputs)\.([\w-]+) \}\}/g, (_, from, name) =>
      from === 'inputs' ? (inputs[name] ?? action.inputs[name].default ?? '') : (outputs[name] ?? ''),
    );
  for (const { shell, run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    expect(shell).toBe('bash');
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          GITHUB_ACTION_PATH: process.cwd(),
          GITHUB_OUTPUT: output,
          GITHUB_STEP_SUMMARY: summary,
          RUNNER_TEMP: folder,
          ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
        },
      },
    );
    log += stdout + stderr;
    if (existsSync(output))
      for (const line of readFileSync(output, 'utf8').trim().split('\n'))
        outputs[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
    if (status !== 0) return { code: status, outputs, summary: textOf(summary), log };
  }
  return { code: 0, outputs, summary: textOf(summary), log };
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

describe('the action', () => {
  let set: string;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    set = await writeSet({ episodes: 3, cameras: ['front'] });
    mkdirSync(join(folder, 'empty'));
  });

  it('tells of rejected episodes in every form, and then fails', { timeout: 600_000 }, async () => {
    const { code, outputs, summary, log } = await runAction({
      path: set,
      options: '--pictures none --limit 2',
    });
    expect(log).toContain('::error');
    expect(code).toBe(1);
    expect(outputs).toMatchObject({ verdict: '1', accepted: '0', review: '0', rejected: '2' });
    expect(summary).toContain('2 episodes');
    expect(existsSync(join(outputs.report, 'index.html'))).toBe(true);
    const { version, runs } = JSON.parse(readFileSync(outputs.sarif, 'utf8'));
    expect(version).toBe('2.1.0');
    expect(runs[0].results.length).toBeGreaterThan(0);
  });

  it('lets them pass where it shall never fail', { timeout: 600_000 }, async () => {
    const { code, outputs } = await runAction({ path: set, 'fail-on': 'never', options: '--pictures none' });
    expect([code, outputs.rejected]).toEqual([0, '3']);
  });

  it('fails at once where nothing can be read or the threshold is none', { timeout: 600_000 }, async () => {
    expect((await runAction({ path: join(set, 'nowhere') })).code).toBe(3);
    const { code, log } = await runAction({ path: set, 'fail-on': 'accept' });
    expect([code, log]).toEqual([2, expect.stringContaining('::error::fail-on is review, reject or never')]);
  });

  it('names only inputs and outputs that there are', () => {
    const written = JSON.stringify(action.runs) + JSON.stringify(action.outputs);
    const inputs = [...written.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect([...new Set(inputs)].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    const script = readFileSync('.github/action/assess.sh', 'utf8');
    for (const [, name] of written.matchAll(/steps\.assess\.outputs\.([\w-]+)/g))
      expect(script).toContain(`echo "${name}=`);
    expect(action.runs.using).toBe('composite');
  });
});
