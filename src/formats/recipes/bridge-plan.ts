import { memoryCut } from '../shared/episode-cuts.ts';

/** An episode that is part of a longer recording. */
export interface Chunk {
  readonly id: string;
  readonly recording: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly begins: string;
  readonly ends: string;
  readonly streams: readonly string[];
}

/** Relation of two neighbouring chunks of a recording. */
interface Bridge {
  readonly before: string;
  readonly after: string;
  /** `overlap`: they share time. `contiguous`: one ends where the other begins. `gap`: there is time between them. */
  readonly join: 'overlap' | 'contiguous' | 'gap';
  /** Duration of the overlap or gap. */
  readonly duration_s: number;
  /** Start of the later chunk in the recording. */
  readonly at_s: number;
  readonly shared_streams: readonly string[];
  readonly only_before: readonly string[];
  readonly only_after: readonly string[];
}

/** A recording that became several episodes. */
export interface BridgedRecording {
  readonly recording: string;
  readonly chunks: readonly Pick<Chunk, 'id' | 'from_s' | 'to_s' | 'begins' | 'ends'>[];
  readonly bridges: readonly Bridge[];
}

/**
 * Returns the time difference that is neither gap nor overlap: spans end just after their last sample, and times are
 * rounded.
 */
const contiguousTolerance_s = (at_s: number) => Math.max(1e-6, Math.abs(at_s) * 1e-8);

/**
 * Returns how each chunk joins the next one, for every recording that became several episodes. Chunks must come in
 * recording order.
 */
export function planBridges(chunks: Iterable<Chunk>): readonly BridgedRecording[] {
  const recordings = new Map<string, Chunk[]>();
  for (const chunk of chunks) {
    const existing = recordings.get(chunk.recording);
    if (existing === undefined) recordings.set(chunk.recording, [chunk]);
    else existing.push(chunk);
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
  // A reader that splits because of memory continues with the next record.
  const isTouching = before.ends === memoryCut || Math.abs(apart_s) <= contiguousTolerance_s(after.from_s);
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
