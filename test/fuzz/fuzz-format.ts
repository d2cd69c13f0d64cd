import { seededRandom } from '#core';
import { codecs } from './codecs.ts';
import { FuzzRunner } from './fuzz-runner.ts';
import { fixTarget, type Seed, seedsOf } from './seeds.ts';
import { type Spoiled, spoil } from './spoil.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** Mutations at most, and the time after which none is begun. */
  readonly count: number;
  readonly seconds: number;
  /** Before reading one counts as hung. */
  readonly time_s: number;
}

/** One mutation that ended as none may. */
export interface FuzzFailure {
  readonly format: string;
  readonly seed_name: string;
  readonly seed: number;
  readonly number: number;
  readonly kind: 'fault' | 'hang' | 'death' | 'memory';
  readonly why: string;
  readonly spoiled: Spoiled;
}

export interface FuzzReport {
  readonly format: string;
  seeds: number;
  mutations: number;
  episodes: number;
  /** Mutations in which something was found or an error named. */
  noticed: number;
  readonly findings: Map<string, number>;
  readonly errors: Map<string, number>;
  readonly failures: FuzzFailure[];
  slowest_ms: number;
  peak_mb: number;
  /** Hangs and deaths that did not come again: of a busy machine, or worth a look where there are many. */
  passing: number;
}

/** A recording of a few kilobytes that makes the process this large asked for memory without a bound. */
const memory_mb = 700;
const heap_mb = 1024;

/** Spoils a format's seeds `count` times and reads each. The same options give the same mutations. */
export async function fuzzFormat(format: string, options: FuzzOptions): Promise<FuzzReport> {
  const seeds = await seedsOf(format);
  const report: FuzzReport = {
    ...{
      format,
      seeds: seeds.length,
      mutations: 0,
      episodes: 0,
      noticed: 0,
      slowest_ms: 0,
      peak_mb: 0,
      passing: 0,
    },
    ...{ findings: new Map(), errors: new Map(), failures: [] },
  };
  const runner = new FuzzRunner({ time_s: options.time_s, heap_mb });
  const end = performance.now() + options.seconds * 1000;
  try {
    for (let number = 0; number < options.count && seeds.length > 0 && performance.now() < end; number++)
      await fuzzOnce(seeds[number % seeds.length], number, options, runner, report);
  } finally {
    await runner.close();
  }
  return report;
}

/** The mutation of this number: the same whatever was done before it. */
export function mutationOf(seed: Seed, number: number, start: number): Spoiled {
  return spoil(seed, seededRandom((Math.imul(start, 0x9e3779b1) + Math.imul(number + 1, 0x85ebca6b)) >>> 0));
}

async function fuzzOnce(
  seed: Seed,
  number: number,
  options: FuzzOptions,
  runner: FuzzRunner,
  report: FuzzReport,
): Promise<void> {
  const spoiled = mutationOf(seed, number, options.seed);
  const codec = Object.hasOwn(codecs, report.format) ? { codec: report.format } : {};
  const fix = fixTarget(report.format) === null ? {} : { fix: true };
  const task = { files: spoiled.files, ...codec, ...fix };
  let answer = await runner.read(task);
  if ('ended' in answer) {
    answer = await runner.read(task);
    if (!('ended' in answer)) report.passing += 1;
  }
  const named = { format: report.format, seed_name: seed.name, seed: options.seed, number, spoiled };
  const fail = (kind: FuzzFailure['kind'], why: string) => report.failures.push({ ...named, kind, why });
  report.mutations += 1;
  if ('ended' in answer) return void fail(answer.ended, answer.why);
  for (const fault of answer.faults) fail('fault', fault);
  report.episodes += answer.episodes;
  if (answer.findings.length + answer.errors.length > 0) report.noticed += 1;
  for (const code of answer.findings) report.findings.set(code, (report.findings.get(code) ?? 0) + 1);
  for (const code of answer.errors) report.errors.set(code, (report.errors.get(code) ?? 0) + 1);
  report.slowest_ms = Math.max(report.slowest_ms, answer.took_ms);
  if (answer.peak_mb > memory_mb && report.peak_mb <= memory_mb)
    fail('memory', `the process grew to ${Math.round(answer.peak_mb)} MB`);
  report.peak_mb = Math.max(report.peak_mb, answer.peak_mb);
}
