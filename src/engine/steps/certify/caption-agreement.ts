import { z } from 'zod';
import type { AnnotationEvidence } from '#quality/certification';

const reviewSchema = z.looseObject({
  agreement: z.union([
    z.object({ not_assessable: z.string() }),
    z.object({
      captions_hash: z.string(),
      model: z.string(),
      windows: z.array(
        z.object({
          from_s: z.number(),
          to_s: z.number(),
          text: z.string(),
          judged: z.enum(['match', 'mismatch', 'unclear']),
          note: z.string(),
        }),
      ),
    }),
  ]),
});

const notReviewed =
  'nobody has looked at the captions’ windows; a job of annotation_review does, where a vision endpoint is set (ASSAY_VLM_URL)';
const outdated =
  'the captions were made again after they were reviewed; a new job of annotation_review looks at them';

/**
 * What a review says of captions beside their frames: only of those that the episode carries now, which `captions_hash`
 * names. `review`: the artifact of `annotation_review`; null: there is none.
 */
export function agreementIn(
  review: Uint8Array | null,
  captions_hash: string | null,
): AnnotationEvidence['agreement'] {
  if (review === null) return { not_assessable: notReviewed };
  const { agreement } = reviewSchema.parse(JSON.parse(Buffer.from(review).toString()));
  if ('not_assessable' in agreement) return agreement;
  const { model, windows, captions_hash: reviewed } = agreement;
  return reviewed === captions_hash ? { model, windows } : { not_assessable: outdated };
}
