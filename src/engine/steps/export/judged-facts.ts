import type { ExportFormatId, Receipt } from '#core/api';
import type { Episode } from '#core/episode';
import { type Annotated, exportFormats, type Judgement } from '#formats/write';
import { episodeSegments, layerOf } from '#labels/annotation';

/** What a format that holds what Assay says needs of an episode's receipt. Plain data: it crosses threads. */
export type JudgedFacts = Judgement['receipt'] & Pick<Receipt, 'episode' | 'kind' | 'streams' | 'grippers'>;

/** Those that have a place for what some layer says. */
export const formatsWithAnnotations = (): readonly ExportFormatId[] =>
  exportFormats.rows.flatMap(({ id, annotations }) => (annotations === undefined ? [] : [id]));

export const holdsJudgements = (format: ExportFormatId): boolean =>
  exportFormats.get(format)?.judgements === true;

export function judgedFacts(receipt: Receipt): JudgedFacts {
  const { content_hash, decision, score, flags, findings, episode, kind, streams, grippers } = receipt;
  return { content_hash, decision, score, flags, findings, episode, kind, streams, grippers };
}

const untold = { segments: null, captions: [], text: null };

/**
 * What a receipt says of an episode, and what layers say; where nobody annotated it, with the segments that the layer of
 * that name finds where no knob is turned.
 */
export function judgementOf(
  judged: Readonly<Record<string, JudgedFacts>> | undefined,
  { id, streams }: Episode,
  annotated: Annotated | null,
): Judgement | null {
  const receipt = judged?.[id];
  if (receipt === undefined) return null;
  const isUnfit = layerOf('segments').unfit[receipt.kind.kind] !== undefined;
  const { segments, captions, text } = annotated ?? untold;
  return {
    receipt,
    captions,
    text,
    segments: segments ?? (isUnfit ? [] : episodeSegments({ facts: receipt, streams })),
  };
}
