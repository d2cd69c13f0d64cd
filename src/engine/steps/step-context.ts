import type { Blobs } from '#store';
import type { LaneResources } from './annotate/lane-resources.ts';
import type { Part } from './messages.ts';

/** What an order's work is done with, inside a thread. */
export interface StepContext {
  readonly blobs: Blobs;
  readonly signal: AbortSignal;
  /** What lanes work with. */
  readonly lanes: LaneResources;
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
