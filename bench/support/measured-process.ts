import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What one run of a command cost. */
export interface ProcessCost {
  readonly wall_s: number;
  /** Largest sum of resident memory over the process and all its descendants, polled; null where /proc is absent. */
  readonly peak_rss_mb: number | null;
  /** Time from start to the first byte on either output; null when it said nothing. */
  readonly first_output_s: number | null;
  readonly exit_code: number | null;
  readonly stdout: string;
}

const pollEvery_ms = 40;

/** Runs a command to its end in a process of its own; output is kept up to 64 KiB. */
export function measureProcess(command: string, args: readonly string[], cwd?: string): Promise<ProcessCost> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let firstOutput_s: number | null = null;
    let stdout = '';
    let peak: number | null = null;
    const poll = setInterval(() => {
      const now = child.pid === undefined ? null : treeRss_mb(child.pid);
      if (now !== null) peak = Math.max(peak ?? 0, now);
    }, pollEvery_ms);
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
      clearInterval(poll);
      const wall_s = (performance.now() - started) / 1000;
      resolve({ wall_s, peak_rss_mb: peak, first_output_s: firstOutput_s, exit_code, stdout });
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

function treeRss_mb(root: number): number | null {
  const parents = new Map<number, number>();
  const rss = new Map<number, number>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const status = readStatus(name);
      if (status === null) continue;
      parents.set(Number(name), status.parent);
      rss.set(Number(name), status.rss_mb);
    }
  } catch {
    return null;
  }
  let sum = 0;
  for (const pid of rss.keys()) if (descends(pid, root, parents)) sum += rss.get(pid) ?? 0;
  return sum;
}

function readStatus(pid: string): { parent: number; rss_mb: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = /^PPid:\s+(\d+)/m.exec(text);
    const rss = /^VmRSS:\s+(\d+) kB/m.exec(text);
    return { parent: Number(parent?.[1] ?? 0), rss_mb: Number(rss?.[1] ?? 0) / 1024 };
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
