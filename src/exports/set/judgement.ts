import type { Receipt } from '#contract';

/** A span of an episode in which one thing is done, in seconds since its start. */
interface EpisodeSegment {
  readonly from_s: number;
  readonly to_s: number;
  /** `moving`, `still`, … */
  readonly kind: string;
}

/** What Assay says of an episode: its receipt, and the segments that its motion falls into. */
export interface Judgement {
  readonly receipt: Pick<Receipt, 'content_hash' | 'decision' | 'score' | 'flags' | 'findings'>;
  readonly segments: readonly EpisodeSegment[];
}
