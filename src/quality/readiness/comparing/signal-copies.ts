import { type PicturePrints, picturesAgree } from '../pictures/picture-prints.ts';
import { findCopies, type SketchMatch } from './row-sketch.ts';

/** What is held of an episode's signals to find copies of them. */
export type SignalRow = {
  /** Sketch of the rows of the state (or what stands for it), and how many rows there are. */
  readonly rows: readonly number[];
  readonly samples: number;
  /** Sketch of the rows of the commands, where they seldom repeat. */
  readonly commands?: readonly number[];
  /** Its texts, or a digest of them. */
  readonly text: string;
  readonly pictures?: PicturePrints;
};

export interface SignalCopies {
  /** By position: the earlier episode that it is a copy of. */
  readonly copies: ReadonlyMap<number, SketchMatch & { readonly of_commands: boolean }>;
  /** Episodes with the signals of an earlier one in another scene. */
  readonly repeated: readonly number[];
}

/** Earlier episodes of one motion that a later one's pictures are held against. */
const mostCompared = 32;

/**
 * Equal signals alone are no proof of a copy: a script or a replay makes one motion in many scenes. They are one where
 * the pictures agree too; without pictures where the state is the same, or the commands are and the texts agree.
 */
export function copiesAmong(rows: readonly SignalRow[]): SignalCopies {
  const copies = new Map<number, SketchMatch & { readonly of_commands: boolean }>();
  const repeated = new Set<number>();
  for (const [sketches, of_commands] of [
    [rows.map((row) => row.rows), false],
    [rows.map((row) => row.commands), true],
  ] as const) {
    const sameMotion = new Map<number, number[]>();
    for (const [i, { of, alike }] of findCopies(sketches)) {
      if (copies.has(i)) continue;
      const earlier = sameMotion.get(of) ?? [of];
      const original = earlier.find((other) => isSameScene(rows[i], rows[other], of_commands));
      if (original !== undefined) {
        copies.set(i, { of: original, alike, of_commands });
        repeated.delete(i);
        continue;
      }
      repeated.add(i);
      if (earlier.length < mostCompared) earlier.push(i);
      sameMotion.set(of, earlier);
    }
  }
  return { copies, repeated: [...repeated].sort((a, b) => a - b) };
}

function isSameScene(one: SignalRow, other: SignalRow, of_commands: boolean): boolean {
  const seen = picturesAgree(one.pictures ?? null, other.pictures ?? null);
  return seen ?? (!of_commands || one.text === other.text);
}
