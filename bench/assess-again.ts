import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '#core';
import { folderBytes } from '#test/support/folder-bytes';
import type { Bench, BenchOptions } from './bench.ts';
import { cameraSet } from './lerobot/camera-set.ts';
import { measureProcess } from './support/measured-process.ts';

const program = join(import.meta.dirname, '../bin/assay');
const mostShare = 0.1;

/** Judging from what was measured before, and going on after an end by force, each held against the same bytes made anew. */
export const assessAgainBench: Bench = {
  id: 'assess-again',
  title: `assess again from what is kept (under ${mostShare} of the time), and after kill -9`,
  run: async (options) => {
    const set = await cameraSet(options, options.quick ? 48 : 480);
    const again = await judgedAgain(options, set);
    const killed = await goneOn(options, set, options.quick ? 3 : 20);
    const passed = again.same && killed.same && (options.quick || again.share < mostShare);
    return { passed, figures: { again, killed } };
  },
};

async function judgedAgain(options: BenchOptions, set: string) {
  const [cache, out] = [join(options.scratch, 'again-cache'), join(options.scratch, 'again-out')];
  rmSync(cache, { recursive: true, force: true });
  const settings = join(options.scratch, 'again-settings.json');
  writeFileSync(settings, '{"checks":{"episode_length":{"weight_factor":2}}}');
  const first_s = await assess(set, '--cache', cache, '--out', out);
  const again_s = await assess(set, '--cache', cache, '--out', out, '--settings', settings);
  const anew_s = await assess(set, '--no-cache', '--out', `${out}-anew`, '--settings', settings);
  const same = isSame(out, `${out}-anew`);
  const share = again_s / anew_s;
  options.print(
    `  first ${first_s.toFixed(1)} s, under other settings ${again_s.toFixed(2)} s; without cache ${anew_s.toFixed(1)} s: a share of ${share.toFixed(3)}; bytes ${same ? 'the same' : 'DIFFER'}`,
  );
  return { first_s, again_s, anew_s, share, same };
}

/** Kills runs on one cache at random moments, then lets one end. */
async function goneOn(options: BenchOptions, set: string, times: number) {
  const [cache, out] = [join(options.scratch, 'killed-cache'), join(options.scratch, 'killed-out')];
  rmSync(cache, { recursive: true, force: true });
  const anew_s = await assess(set, '--no-cache', '--out', `${out}-anew`);
  const random = seededRandom(7);
  for (let time = 0; time < times; time++) {
    const args = [program, 'assess', set, '--cache', cache, '--out', out];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    setTimeout(() => child.kill('SIGKILL'), random.next() * anew_s * 300);
    await ended;
  }
  const last_s = await assess(set, '--cache', cache, '--out', out);
  const same = isSame(out, `${out}-anew`);
  options.print(
    `  killed ${times} times, then gone on with in ${last_s.toFixed(1)} s of ${anew_s.toFixed(1)} s; bytes ${same ? 'the same' : 'DIFFER'}`,
  );
  return { times, last_s, anew_s, same };
}

async function assess(...args: string[]): Promise<number> {
  const { wall_s, exit_code } = await measureProcess(process.execPath, [program, 'assess', ...args]);
  if (exit_code !== 0) throw new Error(`assess ${args.join(' ')} ended with ${exit_code}`);
  return wall_s;
}

const isSame = (a: string, b: string): boolean =>
  JSON.stringify(folderBytes(a)) === JSON.stringify(folderBytes(b));
