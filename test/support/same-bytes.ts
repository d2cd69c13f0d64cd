import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { runAssay } from '../run-assay.ts';

/** Settings and concurrent load under which a folder is assessed. */
export interface Condition {
  readonly name: string;
  readonly args: readonly string[];
  /** Priority of the command and all it starts: 19 is the least. */
  readonly niceness: number;
  /** Processes beside it that compute without end. */
  readonly busy: number;
}

const plain = { args: [], niceness: 0, busy: 0 };

/** `busy`: processes that compute beside one of them. */
export const conditionsBeside = (busy: number): readonly Condition[] => [
  { ...plain, name: 'as it is' },
  { ...plain, name: `beside ${busy} busy processes`, busy },
  { ...plain, name: 'one worker', args: ['--workers', '1'] },
  { ...plain, name: 'two workers', args: ['--workers', '2'] },
  { ...plain, name: 'eight workers', args: ['--workers', '8'] },
  { ...plain, name: 'nice 19', niceness: 19 },
];

/** Everything an assessment wrote, by path: receipts, the report, the list of verdicts. */
type Written = ReadonlyMap<string, Buffer>;

/**
 * Assesses `recordings` so many times under a condition into `out`, which is made anew each time. Gives a line for each
 * file that differs from `reference` (the first run's, where there is none yet), and what the last run wrote.
 */
export async function assessAgain(
  recordings: string,
  out: string,
  { args, niceness, busy }: Condition,
  runs: number,
  reference: Written | null,
): Promise<{ readonly differences: string[]; readonly written: Written }> {
  const beside = Array.from({ length: busy }, computeWithoutEnd);
  const differences: string[] = [];
  let written = reference;
  try {
    for (let run = 0; run < runs; run++) {
      rmSync(out, { recursive: true, force: true });
      const { code, err } = await runAssay(['assess', recordings, '--out', out, ...args], {
        onStart: ({ pid }) => {
          // Taking priority back is not for everybody.
          if (niceness > 0) setPriority(pid!, niceness);
        },
      });
      if (code !== 0) differences.push(`run ${run + 1} ended with ${code}: ${err}`);
      else {
        const now = writtenIn(out);
        written ??= now;
        differences.push(...differing(written, now).map((name) => `run ${run + 1}: ${name}`));
      }
    }
  } finally {
    for (const child of beside) child.kill('SIGKILL');
  }
  return { differences, written: written ?? new Map() };
}

function computeWithoutEnd(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
}

/** Every file below a folder, by path. */
export function writtenIn(folder: string): Written {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

function differing(before: Written, now: Written): string[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => {
    const [a, b] = [before.get(name), now.get(name)];
    return a === undefined || b === undefined || !a.equals(b);
  });
}
