import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Time and memory of one run of a command. */
export interface ProcessCost {
  readonly wall_s: number;
  /** Largest memory of the process and all its descendants, polled: resident pages, those that several share counted
   * once (PSS). Null where /proc is absent. */
  readonly peak_memory_mb: number | null;
  /** Time from start to the first byte on either output; null when it said nothing. */
  readonly first_output_s: number | null;
  readonly exit_code: number | null;
  readonly stdout: string;
}

const pollEvery_ms = 100;
/** Counting shared pages takes milliseconds, in which the process that is measured waits: at most so much of the time. */
const pollShare = 0.02;

/** Runs a command to its end in a process of its own; output is kept up to 64 KiB. */
export function measureProcess(command: string, args: readonly string[], cwd?: string): Promise<ProcessCost> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let firstOutput_s: number | null = null;
    let stdout = '';
    let peak: number | null = null;
    let next: NodeJS.Timeout;
    const poll = () => {
      const began = performance.now();
      const now = child.pid === undefined ? null : treeMemory_mb(child.pid);
      if (now !== null) peak = Math.max(peak ?? 0, now);
      next = setTimeout(poll, Math.max(pollEvery_ms, (performance.now() - began) / pollShare));
    };
    next = setTimeout(poll, pollEvery_ms);
    const seen = () => {
      firstOutput_s ??= (performance.now() - started) / 1000;
    };
    child.stdout.on('data', (data: Buffer) => {
      seen();
      if (stdout.length < 65536) stdout += data.toString('utf8');
    });
    child.stderr.on('data', seen);
    child.on('error', reject);
    child.on('close', (exit_code) => {
      clearTimeout(next);
      const wall_s = (performance.now() - started) / 1000;
      resolve({ wall_s, peak_memory_mb: peak, first_output_s: firstOutput_s, exit_code, stdout });
    });
  });
}

/** Median cost by wall time of `rounds` runs. */
export async function medianCost(
  rounds: number,
  command: string,
  args: readonly string[],
  cwd?: string,
): Promise<ProcessCost> {
  const costs: ProcessCost[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await measureProcess(command, args, cwd));
  costs.sort((a, b) => a.wall_s - b.wall_s);
  return costs[Math.floor(rounds / 2)];
}

/** Resident memory of a process and all its descendants, shared pages once; null where there is no /proc. */
export function treeMemory_mb(root: number): number | null {
  const parents = new Map<number, number>();
  try {
    for (const name of readdirSync('/proc')) {
      const parent = /^\d+$/.test(name) ? parentOf(name) : null;
      if (parent !== null) parents.set(Number(name), parent);
    }
  } catch {
    return null;
  }
  let sum = 0;
  for (const pid of parents.keys()) if (descends(pid, root, parents)) sum += memory_mb(pid);
  return sum;
}

function parentOf(pid: string): number | null {
  const text = textOf(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, so count from its end: state, then the parent.
  return text === null ? null : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
}

function memory_mb(pid: number): number {
  const text = textOf(`/proc/${pid}/smaps_rollup`) ?? '';
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 0; at = parents.get(at)) {
    if (at === root) return true;
  }
  return false;
}
