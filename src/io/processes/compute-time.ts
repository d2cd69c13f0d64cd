/** Kinds of child processes that compute for a thread. */
type Helper = 'media' | 'models';

/** Compute time in ms that child processes have reported for requests of this thread. */
const helpers_ms: Record<Helper, number> = { media: 0, models: 0 };

/** Adds the compute time in ms of one request to a child process to the sum of this thread. */
export function addHelperTime(helper: Helper, ms: number): void {
  helpers_ms[helper] += ms;
}

/** Returns the decoding time in ms that media processes have spent for this thread so far. */
export const mediaTime_ms = (): number => helpers_ms.media;

/**
 * Returns the compute time in ms that this thread has used so far: its own CPU time, and the CPU or device time of its
 * requests to child processes. Other work on the machine does not add to it, unlike to time by the clock. Work of
 * native thread pools (file access, compression) is not included.
 */
export function computeTime_ms(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000 + helpers_ms.media + helpers_ms.models;
}

/** Returns the CPU time in ms that this process has used so far, all threads together. */
export function processTime_ms(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
