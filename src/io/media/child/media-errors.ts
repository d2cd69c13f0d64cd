import type { JpegSource } from './pictures/sharp.ts';

/** A decoded frame with its time. */
export interface RenderedFrame {
  readonly source: JpegSource;
  /** Since the start of the episode. */
  readonly time_s: number;
}

/** Error with the reason why a frame cannot be shown. */
export class FrameUnavailable extends Error {}

/** Error codes of modules that are missing or cannot be loaded. */
const moduleErrorCodes = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);
/** Messages of V8, libvips and sharp about missing memory or modules that cannot be loaded. */
const resourceErrorPattern =
  /allocation failed|out of memory|cannot allocate memory|could not load the .* module/i;

/** Error of the machine, such as too many open files, that says nothing about the file. */
export class MachineFault extends Error {}

/**
 * True if an error was caused by the machine and not by the decoded bytes: a failed system call (too many open files,
 * disk not answering, file removed), missing memory, or a missing library.
 */
export function isMachineFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof MachineFault || resourceErrorPattern.test(thrown.message)) return true;
  if (!('code' in thrown) || typeof thrown.code !== 'string') return false;
  return 'syscall' in thrown || moduleErrorCodes.has(thrown.code);
}
