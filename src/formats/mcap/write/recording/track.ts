import type { McapSchema } from './schemas.ts';

export interface TrackMessage {
  readonly log_ns: bigint;
  readonly sent_ns: bigint;
  readonly data: Uint8Array;
}

/** The messages of one topic, in the order of recording. */
export interface Track {
  readonly topic: string;
  readonly schema: McapSchema;
  /** Of the channel: unit, names, role. */
  readonly about: Readonly<Record<string, string>>;
  readonly messages: AsyncGenerator<TrackMessage>;
}

/** Messages of all tracks by the time at which they were written down; each track keeps its own order. */
export async function* inOrder(
  tracks: readonly Track[],
): AsyncGenerator<readonly [track: number, message: TrackMessage]> {
  const heads: (TrackMessage | null)[] = [];
  const next = async (track: number) => {
    const { value, done } = await tracks[track].messages.next();
    heads[track] = done === true ? null : value;
  };
  try {
    for (const track of tracks.keys()) await next(track);
    while (true) {
      let first = -1;
      for (const [track, head] of heads.entries())
        if (head !== null && (first === -1 || head.log_ns < heads[first]!.log_ns)) first = track;
      if (first === -1) return;
      yield [first, heads[first]!];
      await next(first);
    }
  } finally {
    for (const { messages } of tracks) await messages.return(undefined);
  }
}
