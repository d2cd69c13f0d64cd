import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runAssay } from '../run-assay.ts';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { onPeers, peersPython } from '../support/peers.ts';

const python = peersPython ?? '';
const set = resolve('../shared/data/lerobot-v21-g1-bottle');
const isPresent = existsSync(set);
const title = isPresent
  ? onPeers('the package for Python')
  : 'the package for Python (skipped: no ../shared/data)';
/** The bundle that CI has built, which is not built again for the wheel. */
const bundle = process.env.ASSAY_TEST_PROGRAM?.replace(/\/bin\/assay$/, '');
const slow_ms = 900_000;

describe.skipIf(!peersPython || !isPresent)(title, () => {
  let venv: string;
  /** Neither the sources nor a Node of the host are within reach of what is run. */
  const run = (file: string, ...args: string[]) =>
    spawnSync(join(venv, 'bin', file), args, {
      cwd: venv,
      encoding: 'utf8',
      env: { HOME: venv, PATH: '/nowhere', ASSAY_CACHE: 'none' },
      maxBuffer: 1 << 28,
    });
  const wheels = join(dirname(dirname(python)), 'wheels');
  const install = (...what: string[]) =>
    run('pip', 'install', '--quiet', '--no-compile', '--no-index', '--find-links', wheels, ...what);

  beforeAll(async () => {
    const built = await temporaryFolder();
    execFileSync(process.execPath, ['scripts/wheel.ts', built], {
      env: {
        ...process.env,
        ASSAY_WHEEL_PYTHON: python,
        ...(bundle === undefined ? {} : { ASSAY_BUNDLE: bundle }),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [wheel] = readdirSync(built);
    expect(wheel).toMatch(/^assay_robotics-[\d.]+-py3-none-\w+\.whl$/);
    venv = join(await temporaryFolder(), 'venv');
    execFileSync(python, ['-m', 'venv', venv]);
    expect(install(join(built, wheel)).stderr).toBe('');
  }, slow_ms);

  it('is typed throughout', { timeout: slow_ms }, async () => {
    const cache = await temporaryFolder();
    const args = ['-m', 'mypy', '--cache-dir', cache, 'src', 'hatch_build.py'];
    const { stdout, stderr } = spawnSync(python, args, { cwd: resolve('python'), encoding: 'utf8' });
    expect(stdout + stderr).toContain('no issues found');
  });

  it('puts the command on the path', () => {
    const said = run('assay', '--version', '--json');
    expect(said.stderr).toBe('');
    expect(JSON.parse(said.stdout).node).toMatch(/^24\./);
    expect(run('assay', 'assess', '/nowhere').status).toBe(3);
    expect(run('python', '-m', 'assay', '--version').stdout).toBe(run('assay', '--version').stdout);
  });

  it('judges a real set as the command does', { timeout: slow_ms }, async () => {
    const said = run('python', '-c', job, set);
    expect(said.stderr).toBe('');
    const { accepted, flags, keep, html, missing, refused } = JSON.parse(said.stdout);
    const { out } = await runAssay(['assess', set, '--json', '--no-cache']);
    const receipts: Receipt[] = JSON.parse(out).receipts;
    const judged = (...decisions: string[]) =>
      receipts.filter(({ decision }) => decisions.includes(decision)).map(({ episode }) => episode.index);
    expect(accepted).toEqual(judged('accept'));
    expect(keep).toEqual([judged('accept'), judged('accept', 'review')]);
    expect(keep[1].length).toBeGreaterThan(0);
    expect(keep[1].length).toBeLessThan(receipts.length);
    expect(flags).toEqual(receipts.flatMap((one) => one.flags.map(({ code }) => [one.episode.index, code])));
    expect(html).toContain(`<b>${receipts.length} episodes</b>`);
    expect(missing).toMatch(/^pandas is not installed; pip install 'assay-robotics\[pandas\]'$/);
    expect(refused).toEqual(['not_found', 3]);
  });

  it('gives frames where their library is there', { timeout: slow_ms }, () => {
    expect(install('pandas', 'polars').stderr).toBe('');
    const said = run('python', '-c', frames, set);
    expect(said.stderr).toBe('');
    const { pandas, polars, flags, accepted, refused } = JSON.parse(said.stdout);
    expect(pandas).toEqual(polars);
    expect(pandas.slice(0, 5)).toEqual(['index', 'id', 'file', 'kind', 'decision']);
    expect(pandas).toContain('timeline_integrity');
    expect(flags[0]).toBe(flags[1]);
    expect(accepted[0]).toBe(accepted[1]);
    // Numbers of episodes mean something within one set.
    expect(refused).toBe('invalid_request');
  });
});

interface Receipt {
  readonly decision: string;
  readonly episode: { readonly index: number };
  readonly flags: readonly { readonly code: string }[];
}

const job = `
import assay, json, sys
found = assay.assess(sys.argv[1], workers=1)
try: found.to_pandas()
except assay.AssayError as error: missing = str(error)
try: assay.assess("/nowhere")
except assay.AssayError as error: refused = [error.code, error.exit_code]
print(json.dumps({
    "accepted": [one["episode"]["index"] for one in found.accepted()],
    "flags": [[one["episode"]["index"], flag["code"]] for one, flag in found.flags()],
    "keep": [assay.lerobot.keep(found), assay.lerobot.keep(found, decisions=["accept", "review"])],
    "html": found._repr_html_(),
    "missing": missing,
    "refused": refused,
}))`;

const frames = `
import assay, json, sys
found = assay.assess(sys.argv[1], pictures="none", limit=6, settings={"checks": {"language_presence": {"enabled": False}}})
pandas, polars = found.to_pandas(), found.to_polars()
two_sets = assay.Assessment({"dataset": {**found.dataset, "parts": [{}, {}]}, "receipts": found.episodes})
try: assay.lerobot.keep(two_sets)
except assay.AssayError as error: refused = error.code
print(json.dumps({
    "refused": refused, "pandas": list(pandas.columns), "polars": polars.columns,
    "flags": [len(found.to_pandas("flags")), found.to_polars("flags").height],
    "accepted": [int((pandas["decision"] == "accept").sum()), len(assay.lerobot.keep(sys.argv[1], pictures="none", limit=6))],
}))`;
