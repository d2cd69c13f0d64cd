/**
 * How long a thread may take to let go of what it does, before it is ended by force. It has DuckDB end its queries
 * meanwhile: ending a thread over one ends the process.
 */
export const letGo_ms = 3000;

/** False when time was up. */
export async function endsWithin(work: Promise<void>, patience_ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patience_ms);
  const ended = await Promise.race([work.then(() => true), promise]);
  clearTimeout(timer);
  return ended;
}
