import { existsSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { generateLog } from './mcap/generate-log.ts';
import { measureProcess } from './support/measured-process.ts';

const program = join(import.meta.dirname, '../bin/assay');
const slowest_s = 1;
const folder_bytes = 10e9;

/** `assay inspect` over a folder of recordings that takes minutes to read. */
export const inspectBench: Bench = {
  id: 'inspect',
  title: 'assay inspect: what is in a folder of 10 GB',
  run: async ({ scratch, print }) => {
    const folder = await generateFolder(scratch);
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { wall_s, exit_code } = await measureProcess(process.execPath, [program, 'inspect', folder]);
      if (exit_code !== 0) throw new Error(`assay inspect ended with ${exit_code}`);
      times.push(wall_s);
    }
    const inspect_s = times.toSorted((a, b) => a - b)[times.length >> 1];
    print(`  100 MCAP files, 10 GB: ${inspect_s.toFixed(2)} s (at most ${slowest_s} s)`);
    return { passed: inspect_s <= slowest_s, figures: { inspect_s } };
  },
};

/** One log under many names: what nobody reads twice takes no room twice. */
async function generateFolder(scratch: string): Promise<string> {
  const log = join(scratch, 'teleop-100.mcap');
  if (!existsSync(log)) {
    await generateLog(`${log}.part`, { megabytes: 100, content: 'teleop' });
    renameSync(`${log}.part`, log);
  }
  const folder = join(scratch, 'inspect');
  mkdirSync(folder, { recursive: true });
  const files = Math.ceil(folder_bytes / statSync(log).size);
  for (let at = 0; at < files; at++) {
    const path = join(folder, `log_${String(at).padStart(3, '0')}.mcap`);
    if (!existsSync(path)) linkSync(log, path);
  }
  return folder;
}
