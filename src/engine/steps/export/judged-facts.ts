import type { ExportFormatId, Receipt } from '#core/api';
import type { Episode } from '#core/episode';
import { type EpisodeAnnotations, exportFormats, type Judgement } from '#formats/write';

/** Parts of an episode's receipt for formats that store evaluation results. Plain data; may be sent between threads. */
export type JudgedFacts = Judgement['receipt'];

/** Returns the formats that can store annotations of some layer. */
export const formatsWithAnnotations = (): readonly ExportFormatId[] =>
  exportFormats.rows.flatMap(({ id, annotations }) => (annotations === undefined ? [] : [id]));

/** Returns true if the format stores evaluation results. */
export const holdsJudgements = (format: ExportFormatId): boolean =>
  exportFormats.get(format)?.judgements === true;

/** Returns the stored parts of a receipt. */
export function toJudgedFacts(receipt: Receipt): JudgedFacts {
  const { content_hash, decision, score, flags, findings } = receipt;
  return { content_hash, decision, score, flags, findings };
}

const noAnnotations = { segments: null, captions: [], text: null };

/**
 * Returns the evaluation of an episode with its annotations (empty without `annotated`); null if `judged` has none of the
 * episode.
 */
export function toJudgement(
  judged: Readonly<Record<string, JudgedFacts>> | undefined,
  { id }: Pick<Episode, 'id'>,
  annotated: EpisodeAnnotations | null,
): Judgement | null {
  const receipt = judged?.[id];
  if (receipt === undefined) return null;
  const { segments, captions, text } = annotated ?? noAnnotations;
  return { receipt, captions, text, segments: segments ?? [] };
}
