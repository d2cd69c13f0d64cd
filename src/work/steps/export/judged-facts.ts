import { episodeSegments, layerOf } from '#annotation';
import type { ExportFormatId, Receipt } from '#contract';
import type { Episode } from '#episode';
import { exportFormats, type Judgement } from '#exports';

/** What a format that holds what Assay says needs of an episode's receipt. Plain data: it crosses threads. */
export type JudgedFacts = Judgement['receipt'] & Pick<Receipt, 'episode' | 'kind' | 'streams' | 'grippers'>;

export const holdsJudgements = (format: ExportFormatId): boolean =>
  exportFormats.get(format)?.judgements === true;

export function judgedFacts(receipt: Receipt): JudgedFacts {
  const { content_hash, decision, score, flags, findings, episode, kind, streams, grippers } = receipt;
  return { content_hash, decision, score, flags, findings, episode, kind, streams, grippers };
}

/** What a receipt says of an episode, with the segments that the layer of that name finds where no knob is turned. */
export function judgementOf(
  judged: Readonly<Record<string, JudgedFacts>> | undefined,
  { id, streams }: Episode,
): Judgement | null {
  const receipt = judged?.[id];
  if (receipt === undefined) return null;
  const isUnfit = layerOf('segments').unfit[receipt.kind.kind] !== undefined;
  return { receipt, segments: isUnfit ? [] : episodeSegments({ facts: receipt, streams }) };
}
