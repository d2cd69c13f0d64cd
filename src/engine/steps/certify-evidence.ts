import { z } from 'zod';
import type { CertificationPolicy, CertificationReport, LayerId, Receipt } from '#core/api';
import type { DatasetFacts } from '#formats';
import { computeLoadVerdict } from '#formats/rules';
import {
  type AnnotationEvidence,
  type CaptionWindow,
  Certifier,
  type LoadEvidence,
} from '#quality/certification';
import type { EvidenceDataset, EvidenceRow } from '#store';
import { createTally, judgeDataset } from './judge/dataset-verdict.ts';

/** Evidence for a certification report. */
export interface EvidenceInputs {
  readonly policy: CertificationPolicy;
  readonly project_id: string;
  /** Annotation layers that the project's settings require. */
  readonly wanted: readonly LayerId[];
  readonly episodes: readonly EvidenceRow[];
  readonly datasets: readonly EvidenceDataset<DatasetFacts>[];
}

type BlobExtent = Pick<EvidenceRow, 'pack_blob' | 'offset' | 'length'>;

/** Callbacks of `certifyEvidence`. */
export interface EvidenceHooks {
  /** Returns the stored bytes of a receipt or an artifact. */
  readonly read: (place: BlobExtent) => Promise<Uint8Array>;
  /** Called once per receipt, in order. */
  readonly onReceipt?: (row: EvidenceRow, bytes: Uint8Array) => Promise<void>;
}

/** Checks a project's episodes against a policy and returns the report; reads one receipt at a time. */
export async function certifyEvidence(
  evidence: EvidenceInputs,
  { read, onReceipt }: EvidenceHooks,
): Promise<CertificationReport> {
  const { policy, project_id, wanted, episodes } = evidence;
  const loads = await computeLoads(evidence, read);
  const certifier = new Certifier(policy, project_id);
  for (const row of episodes) {
    const bytes = await read(row);
    await onReceipt?.(row, bytes);
    certifier.add({
      receipt: parseReceipt(bytes),
      loads: row.dataset === null ? null : loads[row.dataset],
      annotations: await readAnnotationEvidence(row, wanted, read),
    });
  }
  return certifier.finish();
}

const parseReceipt = (bytes: Uint8Array): Receipt => JSON.parse(Buffer.from(bytes).toString());

async function readAnnotationEvidence(
  { layers, captions, captions_reason, captions_hash, review }: EvidenceRow,
  layerIds: readonly LayerId[],
  read: EvidenceHooks['read'],
): Promise<AnnotationEvidence> {
  return {
    captions: captions === null ? null : parseCaptions(await read(captions)),
    captions_reason,
    agreement: parseAgreement(review === null ? null : await read(review), captions_hash),
    layers: { wanted: layerIds, produced: layers },
  };
}

const captionsSchema = z.looseObject({
  windows: z.array(z.looseObject({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});

/** Parses the caption windows of a captions artifact. */
const parseCaptions = (bytes: Uint8Array): readonly CaptionWindow[] =>
  captionsSchema
    .parse(JSON.parse(Buffer.from(bytes).toString()))
    .windows.map(({ from_s, to_s, text }) => ({ from_s, to_s, text }));

/**
 * Computes whether each dataset loads with the loaders that its receipts were judged by; null for formats without rules. Receipts are read
 * only for datasets that have rules.
 */
async function computeLoads(
  { datasets, episodes }: EvidenceInputs,
  read: EvidenceHooks['read'],
): Promise<(LoadEvidence | null)[]> {
  const tallies = datasets.map(({ facts }) => (hasContract(facts) ? createTally(facts.format) : null));
  const loaders = new Map<number, readonly string[]>();
  for (const row of episodes) {
    const tally = row.dataset === null ? null : tallies[row.dataset];
    if (row.dataset === null || tally === null) continue;
    const receipt = parseReceipt(await read(row));
    tally.add(receipt);
    loaders.set(row.dataset, receipt.loaders ?? []);
  }
  return datasets.map(({ facts, findings }, at) => {
    const counts = tallies[at]?.counts;
    if (counts === undefined) return null;
    return judgeDataset(facts, { counts, findings, unreadable: 0 }, loaders.get(at)).loads;
  });
}

const hasContract = (facts: DatasetFacts): boolean => computeLoadVerdict(facts, []) !== null;

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
  'the captions were not reviewed; run an annotation_review job with a vision endpoint (ASSAY_VLM_URL)';
const outdated = 'the captions changed after the review; run a new annotation_review job';

/**
 * Returns how well captions agree with their frames; `not_assessable` if there is no `review` (the artifact of the layer
 * `annotation_review`), or if it reviewed other captions than those with `captions_hash`.
 */
export function parseAgreement(
  review: Uint8Array | null,
  captions_hash: string | null,
): AnnotationEvidence['agreement'] {
  if (review === null) return { not_assessable: notReviewed };
  const { agreement } = reviewSchema.parse(JSON.parse(Buffer.from(review).toString()));
  if ('not_assessable' in agreement) return agreement;
  const { model, windows, captions_hash: reviewed } = agreement;
  return reviewed === captions_hash ? { model, windows } : { not_assessable: outdated };
}
