import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { measureProcess } from '../support/measured-process.ts';

const python = process.env.ASSAY_PEERS_PYTHON;
const peer = join(import.meta.dirname, 'parquet_peer.py');
const ours = join(import.meta.dirname, 'bare-parquet.ts');
const rounds = 3;
const slowest = 2;

const joints = (from: number) => Array.from({ length: 7 }, (_, at) => `joint_${from + at}`).join(', ');
const mapping = `assay_map: 1
episodes: { file: signals.parquet }
clocks: [{ column: timestamp, unit: s }]
streams:
  - { id: state, role: state, columns: [${joints(0)}] }
  - { id: action, role: action, columns: [${joints(7)}] }
`;

/** A Parquet table of signals as streams, beside pyarrow reading the same file into arrays. */
export const parquetReadBench: Bench = {
  id: 'read-parquet',
  title: 'Parquet with a mapping: into streams, beside pyarrow into arrays',
  run: async ({ quick, scratch, print }) => {
    if (python === undefined) {
      print('  not measured (set ASSAY_PEERS_PYTHON to a Python that has pyarrow)');
      return { passed: true, figures: {} };
    }
    const rows = quick ? 500_000 : 2_000_000;
    const folder = join(scratch, `parquet-${rows}`);
    await generate(python, folder, rows);
    const times = { ours: [] as number[], pyarrow: [] as number[] };
    // Turn by turn: a machine that is busy for a while slows both.
    for (let round = 0; round < rounds; round++) {
      times.ours.push(await readTime(process.execPath, [ours, folder]));
      times.pyarrow.push(await readTime(python, [peer, join(folder, 'signals.parquet')]));
    }
    const [ours_s, pyarrow_s] = [median(times.ours), median(times.pyarrow)];
    const ratio = ours_s / pyarrow_s;
    const megabytes = Math.round(statSync(join(folder, 'signals.parquet')).size / 1e6);
    print(
      `  ${rows} rows of 15 columns, ${megabytes} MB: ${ratio.toFixed(2)} times the time of pyarrow (at most ${slowest}); ` +
        `${ours_s.toFixed(2)} s, pyarrow ${pyarrow_s.toFixed(2)} s`,
    );
    return { passed: ratio <= slowest, figures: { rows, megabytes, ours_s, pyarrow_s, ratio } };
  },
};

async function generate(program: string, folder: string, rows: number): Promise<void> {
  const table = join(folder, 'signals.parquet');
  if (existsSync(table)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'assay.map.yaml'), mapping);
  const made = await measureProcess(program, [peer, `${table}.part`, 'make', String(rows)]);
  if (made.exit_code !== 0) throw new Error(`parquet_peer.py ended with ${made.exit_code}`);
  renameSync(`${table}.part`, table);
}

async function readTime(program: string, args: readonly string[]): Promise<number> {
  const { exit_code, stdout } = await measureProcess(program, args);
  if (exit_code !== 0) throw new Error(`${args[0]} ended with ${exit_code}`);
  return (JSON.parse(stdout) as { read_s: number }).read_s;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
