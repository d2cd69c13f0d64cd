import { z } from 'zod';
import { idSchema } from '../primitives.ts';

/** SHA-256, lower-case hexadecimal. */
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** Metadata of a bundle. */
const facts = {
  /**
   * `service`: measured and certified by a service. `local_report_import`: a service has taken in a report that was made
   * elsewhere. `local_report`: made by the command line, known to no service.
   */
  origin: z.enum(['service', 'local_report_import', 'local_report']),
  /** Project; `null` if it was made without one. */
  project_id: idSchema('prj').nullable(),
  policy: z.strictObject({
    /** Version number in the service; `null` if it was made without a service. */
    version: z.int().positive().nullable(),
    hash: digest,
  }),
  report: z.strictObject({
    verdict: z.enum(['certified', 'review_required', 'not_ready', 'not_assessable']),
    /** Share of the required decisions (one per episode and metric) with evidence; `null` if no metric is required. */
    coverage: z.number().min(0).max(1).nullable(),
  }),
};

/**
 * `manifest.json` of a sealed bundle: all entries with their SHA-256, except the manifest itself and the signed
 * statement.
 */
export const bundleManifestSchema = z
  .strictObject({
    schema: z.literal('assay/bundle/v1'),
    ...facts,
    contains_training_data: z.literal(false),
    canonicalisation: z.literal('RFC8785'),
    digest: z.literal('sha256'),
    /** BagIt Payload-Oxum: bytes, a dot, the number of files. */
    payload_oxum: z.string().regex(/^\d+\.\d+$/),
    files: z.array(
      z.strictObject({
        path: z.string(),
        bytes: z.int().nonnegative(),
        sha256: digest,
        media_type: z.string(),
      }),
    ),
  })
  .meta({ id: 'BundleManifest' });
export type BundleManifest = z.infer<typeof bundleManifestSchema>;
export type BundleFacts = Pick<BundleManifest, keyof typeof facts>;
