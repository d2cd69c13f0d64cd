import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../bench.ts';
import { generateNumericSet } from './generate-set.ts';

/** The folder of a set without video with so many episodes, of so many rows each; generated once. */
export async function numericSet(options: BenchOptions, episodes: number, rows?: number): Promise<string> {
  const name = rows === undefined ? `numeric-${episodes}` : `numeric-${episodes}x${rows}`;
  const folder = join(options.scratch, name);
  if (!existsSync(join(folder, 'meta/stats.json'))) {
    options.print(`  generating ${episodes} episodes once`);
    await generateNumericSet(folder, episodes, rows);
  }
  return folder;
}
