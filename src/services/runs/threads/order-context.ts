import type { Blobs } from '#store';
import type { Part } from './thread-messages.ts';

/** What an order's work is done with, inside a thread. */
export interface OrderContext {
  readonly blobs: Blobs;
  readonly signal: AbortSignal;
  /** A new name in the thread's own folder. */
  scratchFile(): string;
  begin(place: number): void;
  progress(episodes: number, bytes: number): void;
  /** Waits for a blob store that does not answer; throws its error when patience is at an end. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** Hands over a part once `stored`; waits while two are on their way. Throws `cancelled` when it is not wanted. */
  hand(part: Part, stored?: Promise<void>): Promise<void>;
  /** All parts were taken. */
  settled(): Promise<void>;
}
