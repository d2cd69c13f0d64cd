import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runAssay } from '../run-assay.ts';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { onPeers, peersPython } from '../support/peers.ts';
import { program } from '../support/program.ts';

const set = resolve('../shared/data/lerobot-v21-g1-bottle');

// The wheel, with its own Node, is built and installed at night: python-package.nightly.test.ts.
describe.skipIf(!peersPython || !existsSync(set))(onPeers('the sources of the package for Python'), () => {
  let files: string;
  beforeAll(async () => {
    files = await temporaryFolder();
    mkdirSync(join(files, 'node_modules'));
    symlinkSync(dirname(dirname(program)), join(files, 'node_modules/assay'));
  });

  it('give the verdicts of the command, and frames of pandas and polars', { timeout: 120_000 }, async () => {
    const args = ['-c', script, files, process.execPath, set];
    const { stdout, stderr } = spawnSync(peersPython!, args, {
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: resolve('python/src'), PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(stderr).toBe('');
    const { out } = await runAssay([
      'assess',
      set,
      '--json',
      '--no-cache',
      '--limit',
      '6',
      '--pictures',
      'none',
    ]);
    const receipts: Receipt[] = JSON.parse(out).receipts;
    const kept = receipts.filter(({ decision }) => decision !== 'reject').map(({ episode }) => episode.index);
    expect(JSON.parse(stdout)).toEqual({
      keep: kept,
      flags: receipts.flatMap((one) => one.flags.map(({ code }) => [one.episode.index, code])),
      rows: [receipts.length, receipts.length],
      refused: ['not_found', 3],
      loaders: [['lerobot-0.3'], ['lerobot-0.3', 'gr00t']],
    });
  });
});

interface Receipt {
  readonly decision: string;
  readonly episode: { readonly index: number };
  readonly flags: readonly { readonly code: string }[];
}

const script = `
import json, pathlib, sys
import assay, assay._program as program
program._FILES, program._node = pathlib.Path(sys.argv[1]), lambda: pathlib.Path(sys.argv[2])
found = assay.assess(sys.argv[3], limit=6, pictures="none")
chosen = [assay.assess(sys.argv[3], limit=1, pictures="none", loader=ids) for ids in ("lerobot-0.3", ["gr00t", "lerobot-0.3"])]
try: assay.assess("/nowhere")
except assay.AssayError as error: refused = [error.code, error.exit_code]
print(json.dumps({
    "keep": assay.lerobot.keep(found, decisions=["accept", "review"]),
    "flags": [[one["episode"]["index"], flag["code"]] for one, flag in found.flags()],
    "rows": [len(found.to_pandas()), found.to_polars().height],
    "refused": refused,
    "loaders": [one.dataset["parts"][0]["loads"]["loaders"] for one in chosen],
}))`;
