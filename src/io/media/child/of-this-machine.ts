/** A library of this program that is not there, or cannot be loaded here. */
const loading = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);
/** What V8, libvips and sharp say where there is no memory, or where they cannot be loaded. */
const words = /allocation failed|out of memory|cannot allocate memory|could not load the .* module/i;

/** The machine refused what decoding needs: it says nothing of the file. */
export class NotNow extends Error {}

/**
 * Whether what was thrown comes from this machine and this moment, and not from the bytes that were decoded: the system
 * refused a call (no more open files, the disk does not answer, the file went away), there was no memory, a library is
 * missing.
 */
export function isOfThisMachine(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof NotNow || words.test(thrown.message)) return true;
  if (!('code' in thrown) || typeof thrown.code !== 'string') return false;
  return 'syscall' in thrown || loading.has(thrown.code);
}
