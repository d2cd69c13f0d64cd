import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { program } from './support/program.ts';

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly cwd?: string;
  /** Text for standard input. Defaults to none. */
  readonly input?: string;
  /** Absent: that of all tests. */
  readonly program?: string;
  /** Called when the process has started. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Called with standard error as it grows. */
  readonly onError?: (err: string, child: ChildProcess) => void;
}

/** Runs the real command line in a process of its own. */
export function runAssay(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [options.program ?? program, ...args], {
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const chunks: Buffer[] = [];
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
    options.onError?.(err, child);
  });
  child.stdin?.end(options.input);
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out: Buffer.concat(chunks).toString(), err }));
  });
}

/** Processes that descend from `pid`, by /proc; empty where there is none. */
export function descendants(pid: number): { pid: number; command: string }[] {
  const parents = new Map<number, { parent: number; command: string }>();
  for (const name of procEntries()) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      parents.set(Number(name), { parent, command });
    } catch {
      // It ended between listing and looking.
    }
  }
  const found: { pid: number; command: string }[] = [];
  for (const [child, { parent, command }] of parents) {
    if (parent === pid) found.push({ pid: child, command }, ...descendants(child));
  }
  return found;
}

function procEntries(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
