import type { SignalOutput } from '../../src/labels/annotation/lane.ts';

/** A span as the artifact holds it. */
export interface SegmentRow {
  readonly from_s: number;
  readonly to_s: number;
  readonly kind: string;
  readonly grippers: readonly ('open' | 'closed' | null)[];
  readonly speed: number | null;
  readonly begins: {
    readonly type: string;
    readonly change: string | null;
    readonly strength: number;
    readonly contrast: number | null;
  } | null;
}

export const segmentsOf = ({ artifact }: SignalOutput): readonly SegmentRow[] =>
  artifact.segments as unknown as readonly SegmentRow[];
