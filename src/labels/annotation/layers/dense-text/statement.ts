/** What a statement rests on. */
type TextEvidence = 'frames' | 'recording' | 'task' | 'motion' | 'segments' | 'object_labels';

/** A sentence that may stand in a text, or be left out. */
export interface Statement {
  readonly text: string;
  readonly evidence: TextEvidence;
  /** The higher, the sooner it is told. */
  readonly weight: number;
  /** Where it stands by time; null: before everything, it is of the whole episode. */
  readonly from_s: number | null;
  /** What it is about, for a text that goes from place to place; empty: the whole episode. */
  readonly place: string;
}
