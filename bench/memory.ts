import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions } from './bench.ts';
import { numericSet } from './lerobot/numeric-set.ts';
import { repeatedSet } from './lerobot/repeated-set.ts';
import { generateLog } from './mcap/generate-log.ts';
import { measureProcess } from './support/measured-process.ts';

const root = join(import.meta.dirname, '..');
const limit_mb = 400;

/** Memory of `assess`, with all its threads and children, over recordings far larger than the limit. */
export const memoryBench: Bench = {
  id: 'memory',
  title: `Memory of assess, all processes together (at most ${limit_mb} MB)`,
  run: async (options) => {
    const log = await mcapLog(options, options.quick ? 200 : 1000);
    const set = await numericSet(options, options.quick ? 20_000 : 100_000);
    const pictured = await repeatedSet(options, options.quick ? 1 : 25);
    const out = join(options.scratch, 'memory-out');
    const mcap = await measure(options, 'MCAP log', [log]);
    const lerobot = await measure(options, 'LeRobot set without video', [set]);
    const camera = await measure(options, 'LeRobot set with a camera, and its report', [
      pictured,
      '--out',
      out,
    ]);
    return {
      passed: Math.max(mcap, lerobot, camera) <= limit_mb,
      figures: { mcap_mb: mcap, lerobot_mb: lerobot, camera_mb: camera },
    };
  },
};

async function measure(options: BenchOptions, name: string, args: readonly string[]): Promise<number> {
  const cost = await measureProcess(process.execPath, [join(root, 'bin/assay'), 'assess', ...args]);
  const peak = cost.peak_memory_mb ?? Number.NaN;
  options.print(`  ${name}: ${peak.toFixed(0)} MB, ${cost.wall_s.toFixed(1)} s (${args[0]})`);
  return cost.exit_code === 0 ? peak : Number.NaN;
}

async function mcapLog(options: BenchOptions, megabytes: number): Promise<string> {
  const path = join(options.scratch, `teleop-${megabytes}.mcap`);
  if (existsSync(path)) return path;
  options.print(`  generating a log of ${megabytes} MB once`);
  await generateLog(`${path}.part`, { megabytes, content: 'teleop' });
  renameSync(`${path}.part`, path);
  return path;
}
