let count = 0;
let last: Error | null = null;

/** What the system answers where it lacks something now: open files, memory, room, a disk that answers. */
const codes = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'ESTALE',
  'ETIMEDOUT',
  'EAGAIN',
]);
/** The same in the words of libraries that open files themselves. */
const words =
  /Too many open files|No space left on device|Input\/output error|Cannot allocate memory|Stale file handle/;

/** Whether something thrown says that the machine lacks something now, which says nothing of what was read. */
export function isMachineFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && typeof thrown.code === 'string' && codes.has(thrown.code)) return true;
  return words.test(thrown.message);
}

/** Remembers a fault of the machine, so that `watchMachine` learns of it even where the error is caught on its way. */
export function noteMachineFault<Fault extends Error>(fault: Fault): Fault {
  count++;
  last = fault;
  return fault;
}

/**
 * Answers a check that throws if this thread met a fault of the machine since: what was read meanwhile may look damaged
 * and is not.
 */
export function watchMachine(): () => void {
  const before = count;
  return () => {
    if (count > before) throw last;
  };
}
