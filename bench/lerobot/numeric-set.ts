import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../bench.ts';
import { generateNumericSet } from './generate-set.ts';

/** The folder of a set without video with so many episodes; generated once. */
export async function numericSet(options: BenchOptions, episodes: number): Promise<string> {
  const folder = join(options.scratch, `numeric-${episodes}`);
  if (!existsSync(join(folder, 'meta/stats.json'))) {
    options.print(`  generating ${episodes} episodes once`);
    await generateNumericSet(folder, episodes);
  }
  return folder;
}
