import type { FrameOutcome } from '../../media-port.ts';

/** A request whose frames are given batch by batch. */
export interface CurrentStream {
  readonly stream: number;
  /** Frames that were given. */
  at: number;
  readonly frames: AsyncGenerator<FrameOutcome, void, undefined>;
}

/** Only the last one is kept, so that a file is used by one at a time. */
let current: CurrentStream | null = null;

export const currentStream = (): CurrentStream | null => current;

export async function enterStream(next: CurrentStream): Promise<CurrentStream> {
  await leaveStream();
  current = next;
  return next;
}

/** To be called before anything else uses files. */
export async function leaveStream(): Promise<void> {
  const left = current;
  current = null;
  await left?.frames.return();
}
