import { memoryCut } from '../shared/part-cuts.ts';

/** An episode that is part of a longer recording, as the plan needs it. */
export interface Chunk {
  readonly id: string;
  readonly recording: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly begins: string;
  readonly ends: string;
  readonly streams: readonly string[];
}

/** How two neighbouring chunks of a recording join. */
interface Bridge {
  readonly before: string;
  readonly after: string;
  /** `overlap`: they share time. `contiguous`: one ends where the other begins. `gap`: time lies between. */
  readonly join: 'overlap' | 'contiguous' | 'gap';
  /** Of the overlap or the gap. */
  readonly duration_s: number;
  /** Where in the recording the later one begins. */
  readonly at_s: number;
  readonly shared_streams: readonly string[];
  readonly only_before: readonly string[];
  readonly only_after: readonly string[];
}

export interface BridgedRecording {
  readonly recording: string;
  readonly chunks: readonly Pick<Chunk, 'id' | 'from_s' | 'to_s' | 'begins' | 'ends'>[];
  readonly bridges: readonly Bridge[];
}

/** Spans end just behind their last sample, and times are rounded: that little is neither gap nor overlap. */
const touching = (at_s: number) => Math.max(1e-6, Math.abs(at_s) * 1e-8);

/** Says of every recording that became several episodes how neighbours join. Chunks come in the order of recording. */
export function bridgePlan(chunks: Iterable<Chunk>): readonly BridgedRecording[] {
  const recordings = new Map<string, Chunk[]>();
  for (const chunk of chunks) {
    const own = recordings.get(chunk.recording);
    if (own === undefined) recordings.set(chunk.recording, [chunk]);
    else own.push(chunk);
  }
  return [...recordings]
    .filter(([, own]) => own.length > 1)
    .map(([recording, own]) => ({
      recording,
      chunks: own.map(({ id, from_s, to_s, begins, ends }) => ({ id, from_s, to_s, begins, ends })),
      bridges: own.slice(1).map((after, at) => bridge(own[at], after)),
    }));
}

function bridge(before: Chunk, after: Chunk): Bridge {
  const apart_s = after.from_s - before.to_s;
  // A reader that cuts for want of memory goes on with the very next record.
  const isTouching = before.ends === memoryCut || Math.abs(apart_s) <= touching(after.from_s);
  const [left, right] = [new Set(before.streams), new Set(after.streams)];
  return {
    before: before.id,
    after: after.id,
    join: isTouching ? 'contiguous' : apart_s < 0 ? 'overlap' : 'gap',
    duration_s: isTouching ? 0 : Number(Math.abs(apart_s).toFixed(9)),
    at_s: after.from_s,
    shared_streams: before.streams.filter((id) => right.has(id)),
    only_before: before.streams.filter((id) => !right.has(id)),
    only_after: after.streams.filter((id) => !left.has(id)),
  };
}
