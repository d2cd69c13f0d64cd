import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { cameraSet } from '../exports/two-camera-set.ts';
import { measureProcess } from '../support/measured-process.ts';
import { camera, inRunLayers } from './in-run-layers.ts';

const root = join(import.meta.dirname, '../..');
const limit_mb = 1500;

/** Memory of `annotate`, with all its threads and children, on a short episode and on a long one. */
export const laneMemoryBench: Bench = {
  id: 'lane-memory',
  title: `Memory of ${inRunLayers.join(', ')} on one episode of 640x480, all processes together (at most ${limit_mb} MB)`,
  run: async (options) => {
    const short = await peakOf(options, 300);
    const long = await peakOf(options, options.quick ? 1800 : 18_000);
    options.print(`  the long one takes ${(long / short).toFixed(2)} times what the short one does`);
    return { passed: Math.max(short, long) <= limit_mb, figures: { short_mb: short, long_mb: long } };
  },
};

async function peakOf(options: BenchOptions, rows: number): Promise<number> {
  const set = await cameraSet(options.scratch, 1, camera, rows);
  const out = join(options.scratch, 'lane-memory-out');
  rmSync(out, { recursive: true, force: true });
  const asked = ['annotate', set, '--layers', inRunLayers.join(), '--out', out];
  const { exit_code, wall_s, peak_memory_mb } = await measureProcess(process.execPath, [
    join(root, 'bin/assay'),
    ...asked,
  ]);
  const peak = exit_code === 0 && peak_memory_mb !== null ? peak_memory_mb : Number.NaN;
  options.print(`  ${Math.round(rows / 30)} s: ${peak.toFixed(0)} MB, ${wall_s.toFixed(1)} s`);
  return peak;
}
