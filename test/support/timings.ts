import { appendFileSync, readFileSync } from 'node:fs';

/** Kinds of start-up whose duration is recorded. */
export type StartKind = 'service' | 'database' | 'engine' | 'browser' | 'python';

/** A line of a timings file. */
export type Timing =
  /** A test file: milliseconds to import it, and of its tests and hooks. */
  | { kind: 'file'; file: string; project: string; tests: number; import_ms: number; run_ms: number }
  /** A service, database, work engine or browser that started, or a Python with its libraries, up to its first answer. */
  | { kind: 'start'; what: StartKind; ms: number }
  /** A step of `.ci/run`. */
  | { kind: 'phase'; name: string; s: number };

/** Appends to the file that ASSAY_TEST_TIMINGS names; does nothing where it is not set. */
export function recordTiming(timing: Timing): void {
  const file = process.env.ASSAY_TEST_TIMINGS;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(timing)}\n`);
}

/** The result of `start`, having recorded how long it took. */
export async function timedStart<Started>(what: StartKind, start: Promise<Started>): Promise<Started> {
  const began = performance.now();
  const started = await start;
  recordTiming({ kind: 'start', what, ms: performance.now() - began });
  return started;
}

export function readTimings(file: string): Timing[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
