import { z } from 'zod';
import { kindSchema } from '../kinds.ts';
import { idSchema } from '../primitives.ts';
import { readinessSettingsSchema } from '../settings.ts';
import { useCaseIdSchema } from './use-cases.ts';

const count = z.int().nonnegative();
const bounds = z.tuple([z.number(), z.number()]);

const checkRow = z.strictObject({
  id: z.string(),
  title: z.string(),
  view: z.enum(['integrity', 'semantic']),
  /** Data that a recording needs for this check. */
  needs: z.string(),
  kinds: z.array(kindSchema),
  formula: z.string(),
  calibrated_on: z.string(),
  /** Applicability of the check to the project's kind of data. */
  applies: z.strictObject({
    status: z.enum(['applies', 'does_not_apply', 'unknown']),
    reason: z.string(),
  }),
  enabled: z.strictObject({ default: z.boolean(), stored: z.boolean().nullable(), effective: z.boolean() }),
  threshold: z.strictObject({
    default: z.number(),
    /** Source of the default. */
    source: z.string(),
    stored_offset: z.number().nullable(),
    effective: z.number(),
  }),
  weight: z.strictObject({
    default: z.number(),
    /** Weight factor of the workspace's use case; `null` if it leaves this check unchanged. */
    use_case_factor: z.number().nullable(),
    use_case_reason: z.string().nullable(),
    /** Weight factor of the project; it overrides that of the use case. */
    stored_factor: z.number().nullable(),
    effective: z.number(),
  }),
  flags: z.array(
    z.strictObject({
      code: z.string(),
      severity: z.enum(['blocking', 'warning', 'info']),
      meaning: z.string(),
      advice: z.string(),
    }),
  ),
  /** Comparisons across episodes whose results it grades. */
  comparisons: z.array(z.string()),
});

const loaderRow = z.strictObject({
  id: z.string(),
  /** Display name, such as `LeRobot v3.0`. */
  title: z.string(),
  /** Display name of the datasets that it reads, such as `LeRobot datasets`. */
  reads: z.string(),
  /** File that selects it automatically for the datasets that contain it; `null` if there is none. */
  marker: z.string().nullable(),
  /** True if the project chose it. */
  chosen: z.boolean(),
});

export const projectReadinessSettingsSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    use_case: useCaseIdSchema,
    data_kind: kindSchema.nullable(),
    checks: z.array(checkRow),
    /**
     * Training loaders that can be chosen. Datasets that none of the chosen ones reads are judged by the loader of their
     * format and files.
     */
    loaders: z.array(loaderRow),
    bounds: z.strictObject({ threshold_offset: bounds, weight_factor: bounds }),
    /** Score limits of the decisions; they cannot be set. */
    decision: z.strictObject({ accept: z.number(), reject: z.number(), graded_fraction: z.number() }),
    /** Settings that the project changed. */
    stored: readinessSettingsSchema,
    /** Stored checks and loaders that this version does not have; without effect. */
    ignored: z.array(z.string()),
    /**
     * All settings in effect, in the form that `assay assess --settings FILE` accepts to produce the same receipts.
     */
    settings_file: readinessSettingsSchema,
    /** Settings hash in receipts that are evaluated with these settings. */
    settings_hash: z.string(),
    episodes: count,
    /** Number of episodes last evaluated with other settings; `rescore` re-evaluates them without decoding. */
    episodes_judged_otherwise: count,
    /** Requested values that were clamped or dropped; empty unless this answers a change. */
    adjusted: z.array(
      z.strictObject({ pointer: z.string(), asked: z.number(), stored: z.number(), reason: z.string() }),
    ),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ProjectReadinessSettings' });
export type ProjectReadinessSettings = z.infer<typeof projectReadinessSettingsSchema>;

/**
 * Change of settings: omitted members keep their values; null resets one member, `{}` a check, and `"checks": {}` all
 * checks to the inherited values.
 */
export const setReadinessSettingsSchema = z.strictObject({
  checks: z
    .record(
      z.string(),
      z.strictObject({
        enabled: z.boolean().nullable().optional(),
        /** Added to the threshold; clamped to ±0.2. */
        threshold_offset: z.number().nullable().optional(),
        /** Factor on the check's default weight; clamped to 0 to 3. */
        weight_factor: z.number().nullable().optional(),
      }),
    )
    .optional(),
  /** Ids of the training loaders that datasets are judged by (docs/contracts.md); null or empty: chosen by format and files. */
  loaders: z.array(z.string()).max(20).nullable().optional(),
});
export type ReadinessSettingsChange = z.infer<typeof setReadinessSettingsSchema>;
