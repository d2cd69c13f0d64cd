let count = 0;
let last: Error | null = null;

/** System error codes for a lack of resources: open files, memory, disk space, a disk that responds. */
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
/** Messages of libraries that open files themselves, for the same errors. */
const words =
  /Too many open files|No space left on device|Input\/output error|Cannot allocate memory|Stale file handle/;

/**
 * Returns true if an error means that this machine lacks resources now (open files, memory, disk space), so that it
 * proves nothing about the file being read.
 */
export function isMachineFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && typeof thrown.code === 'string' && codes.has(thrown.code)) return true;
  return words.test(thrown.message);
}

/** Records a fault of the machine and returns it, so that `watchMachine` reports it even if the error is caught on its way. */
export function noteMachineFault<Fault extends Error>(fault: Fault): Fault {
  count++;
  last = fault;
  return fault;
}

/**
 * Returns a function that throws the last fault recorded by `noteMachineFault` in this thread since `watchMachine`
 * was called, and does nothing if there was none. Data read in between may look damaged without being so.
 */
export function watchMachine(): () => void {
  const before = count;
  return () => {
    if (count > before) throw last;
  };
}
