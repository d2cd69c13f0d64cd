import type { ExportFormatId, Receipt } from '#core/api';
import type { Episode } from '#core/episode';
import { type EpisodeAnnotations, exportFormats, type Judgement } from '#formats/write';
import { episodeSegments, layerOf } from '#labels/annotation';

/** Parts of an episode's receipt for formats that store evaluation results. Plain data; may be sent between threads. */
export type JudgedFacts = Judgement['receipt'] & Pick<Receipt, 'episode' | 'kind' | 'streams' | 'grippers'>;

/** Returns the formats that can store annotations of some layer. */
export const formatsWithAnnotations = (): readonly ExportFormatId[] =>
  exportFormats.rows.flatMap(({ id, annotations }) => (annotations === undefined ? [] : [id]));

/** Returns true if the format stores evaluation results. */
export const holdsJudgements = (format: ExportFormatId): boolean =>
  exportFormats.get(format)?.judgements === true;

/** Picks the stored parts of a receipt. */
export function toJudgedFacts(receipt: Receipt): JudgedFacts {
  const { content_hash, decision, score, flags, findings, episode, kind, streams, grippers } = receipt;
  return { content_hash, decision, score, flags, findings, episode, kind, streams, grippers };
}

const noAnnotations = { segments: null, captions: [], text: null };

/**
 * Returns an episode's evaluation and annotations; null without evaluation. Without annotations, the segments are
 * computed with default settings.
 */
export function toJudgement(
  judged: Readonly<Record<string, JudgedFacts>> | undefined,
  { id, streams }: Episode,
  annotated: EpisodeAnnotations | null,
): Judgement | null {
  const receipt = judged?.[id];
  if (receipt === undefined) return null;
  const isUnfit = layerOf('segments').unfit[receipt.kind.kind] !== undefined;
  const { segments, captions, text } = annotated ?? noAnnotations;
  return {
    receipt,
    captions,
    text,
    segments: segments ?? (isUnfit ? [] : episodeSegments({ facts: receipt, streams })),
  };
}
