import { readdirSync, readFileSync } from 'node:fs';

/** Processes below `pid`, as Linux tells them; empty elsewhere. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const { pid: child, parent } of processes())
    children.set(parent, [...(children.get(parent) ?? []), child]);
  const found: number[] = [];
  for (let next = [pid]; next.length > 0; ) {
    next = next.flatMap((one) => children.get(one) ?? []);
    found.push(...next);
  }
  return found;
}

/** Those that still run, and are not only waiting to be reaped. */
export function alive(pids: readonly number[]): number[] {
  const running = new Map(processes().map(({ pid, state }) => [pid, state]));
  return pids.filter((pid) => (running.get(pid) ?? 'Z') !== 'Z');
}

function processes(): { pid: number; parent: number; state: string }[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return [{ pid: Number(name), parent: Number(parent), state }];
        } catch {
          return [];
        }
      });
  } catch {
    return [];
  }
}
