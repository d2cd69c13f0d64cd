import { z } from 'zod';
import type { CertificationPolicy, CertificationReport, LayerId, Receipt } from '#core/api';
import type { DatasetFacts } from '#formats';
import { loadsOf } from '#formats/rules';
import {
  type AnnotationEvidence,
  type CaptionWindow,
  Certifier,
  type LoadEvidence,
} from '#quality/certification';
import type { EvidenceDataset, EvidenceRow } from '#store';
import { SeenBreaches } from '../report/seen-breaches.ts';

/** What a report is made of. */
export interface CertifiedEvidence {
  readonly policy: CertificationPolicy;
  readonly project_id: string;
  /** Layers of annotation that the project's settings ask for. */
  readonly wanted: readonly LayerId[];
  readonly episodes: readonly EvidenceRow[];
  readonly datasets: readonly EvidenceDataset<DatasetFacts>[];
}

type Place = Pick<EvidenceRow, 'pack_blob' | 'offset' | 'length'>;

export interface EvidenceHooks {
  /** The bytes of a receipt or an artifact, as they were stored. */
  readonly read: (place: Place) => Promise<Uint8Array>;
  /** Hears of every receipt once, in order. */
  readonly onReceipt?: (row: EvidenceRow, bytes: Uint8Array) => Promise<void>;
}

/** Holds a project's episodes against a policy; receipts are read one at a time. */
export async function certifyEvidence(
  evidence: CertifiedEvidence,
  { read, onReceipt }: EvidenceHooks,
): Promise<CertificationReport> {
  const { policy, project_id, wanted, episodes } = evidence;
  const loads = await loadsOfDatasets(evidence, read);
  const certifier = new Certifier(policy, project_id);
  for (const row of episodes) {
    const bytes = await read(row);
    await onReceipt?.(row, bytes);
    certifier.add({
      receipt: receiptOf(bytes),
      loads: row.dataset === null ? null : loads[row.dataset],
      annotations: await annotationsOf(row, wanted, read),
    });
  }
  return certifier.finish();
}

const receiptOf = (bytes: Uint8Array): Receipt => JSON.parse(Buffer.from(bytes).toString());

async function annotationsOf(
  { layers, captions, captions_hash, review }: EvidenceRow,
  wanted: readonly LayerId[],
  read: EvidenceHooks['read'],
): Promise<AnnotationEvidence> {
  return {
    captions: captions === null ? null : captionsIn(await read(captions)),
    agreement: agreementIn(review === null ? null : await read(review), captions_hash),
    layers: { wanted, produced: layers },
  };
}

const captionsSchema = z.looseObject({
  windows: z.array(z.looseObject({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});

/** Windows in the artifact of the captions layer. */
const captionsIn = (bytes: Uint8Array): readonly CaptionWindow[] =>
  captionsSchema
    .parse(JSON.parse(Buffer.from(bytes).toString()))
    .windows.map(({ from_s, to_s, text }) => ({ from_s, to_s, text }));

/** What each dataset's own reader does with it; only receipts of sets that have such a reader are looked at for it. */
async function loadsOfDatasets(
  { datasets, episodes }: CertifiedEvidence,
  read: EvidenceHooks['read'],
): Promise<(LoadEvidence | null)[]> {
  const seen = datasets.map(({ facts }) => (loadsOf(facts, []) === null ? null : new SeenBreaches()));
  for (const row of episodes) {
    const breaches = row.dataset === null ? null : seen[row.dataset];
    if (breaches === null) continue;
    const { findings, flags } = receiptOf(await read(row));
    breaches.add(findings, flags);
  }
  return datasets.map(({ facts, findings }, at) => {
    const breaches = seen[at];
    return breaches === null ? null : loadsOf(facts, breaches.with(findings));
  });
}

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
