import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '#store';

/** Ticks of the kernel a second, on every Linux that Node runs on. */
const ticks_per_s = 100;

/**
 * Tells how many ms of processor a database has taken so far: of the embedded one what this process took, of a server on
 * this machine what its processes took, those that ended included. Null where the server runs elsewhere. Unlike the time
 * that passes it hardly depends on what else runs.
 */
export async function processorOf(database: Database): Promise<() => number | null> {
  if (database.kind === 'embedded') {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
  }
  const { rows } = await database.query('SELECT pg_backend_pid() AS pid');
  const server = statOf(rows[0].pid)?.parent;
  return () => (server === undefined ? null : processorBelow(server));
}

function processorBelow(server: number): number | null {
  const own = statOf(server);
  if (own === null) return null;
  let ticks = own.ended;
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (stat?.parent === server) ticks += stat.ticks;
  }
  return (1000 * ticks) / ticks_per_s;
}

function statOf(
  pid: number,
): { readonly parent: number; readonly ticks: number; readonly ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so count from its end: state, then the parent.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1], ticks: fields[11] + fields[12], ended: fields[13] + fields[14] };
  } catch {
    return null;
  }
}
