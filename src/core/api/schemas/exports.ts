import { z } from 'zod';
import { dropStages, type ExportEditId, exportEditIds } from '../bounds/index.ts';
import { idSchema, timeSchema } from '../primitives.ts';
import { bundleManifestSchema } from './certification-bundle.ts';
import { decisionSchema } from './episodes.ts';
import { workErrorSchema } from './runs.ts';
import { actorIdSchema } from './tenancy.ts';
import { exportFormatIds } from './use-cases.ts';

const count = z.int().nonnegative();
const usd = z.number().nonnegative();
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const episodeIds = z.array(idSchema('ep')).min(1).max(10_000);

/** Export formats: training sets, and sealed certification bundles. */
const exportedFormats = [...exportFormatIds, 'certified-bundle'] as const;
export type ExportedFormat = (typeof exportedFormats)[number];

/** Selection of the episodes to export. */
const exportChoiceSchema = z
  .strictObject({
    /** Selected decisions: the reviewer's if there is one, else the automatic one. */
    decisions: z.array(decisionSchema).min(1).max(3).default(['accept']),
    /** Only members of this slice. */
    slice_id: idSchema('slc').optional(),
    /** Only episodes that this curation plan keeps. */
    curation_id: idSchema('cur').optional(),
    /** Only these, whatever their decision. */
    episode_ids: episodeIds.optional(),
    /** Episodes to leave out. */
    without: episodeIds.optional(),
  })
  .meta({ id: 'ExportChoice' });

const editTexts = z.array(z.string().min(1).max(500)).min(1).max(200).optional();
const exportEditsSchema = z
  .strictObject(
    Object.fromEntries(exportEditIds.map((id) => [id, editTexts])) as Record<ExportEditId, typeof editTexts>,
  )
  .meta({
    id: 'ExportEdits',
    description:
      'Edits applied during export, with the same values as the options of `assay export`, such as {"trim": ["idle"]}.',
  });

/** The request without episode ids; the lineage names every episode. */
const exportChosenSchema = z.strictObject({
  decisions: z.array(decisionSchema),
  /** Number of episodes given by id; `null` if they are selected by decision. */
  named: count.nullable(),
  slice_id: idSchema('slc').nullable(),
  curation_id: idSchema('cur').nullable(),
  without: count,
  /** Applied edits, by edit id. */
  edits: z.record(z.string(), z.array(z.string())),
  /** Whether annotations were requested; null is the same as false. */
  annotations: z.boolean().nullable(),
});
export type ExportChosen = z.infer<typeof exportChosenSchema>;

export const createExportSchema = z.strictObject({
  format: z
    .enum(exportFormatIds)
    .optional()
    .meta({ description: 'Defaults to the export format of the project’s target profile.' }),
  /** Rows per second; absent to keep the rate of the recordings. */
  rate_hz: z.number().positive().max(1e6).optional(),
  /** Source of the episodes; required if the project’s episodes come from several sources. */
  source_id: idSchema('src').optional(),
  /** Folder of the dataset in the source, `.` for the source itself; required if the source holds several datasets. */
  dataset_path: z.string().max(1000).optional(),
  episodes: exportChoiceSchema.default({ decisions: ['accept'] }),
  edits: exportEditsSchema.default({}),
  annotations: z.boolean().optional().meta({
    description:
      'Whether to include annotations of layers, marked as written by a machine or a person and apart from the labels of the recordings. Defaults to false. In LeRobot v3.0 they need LeRobot 0.6 or newer.',
  }),
  purpose: z.enum(['training', 'evaluation']).default('training'),
});

const droppedCountSchema = z.strictObject({
  /**
   * `held_out`: selected by everything else in the request, but a locked slice holds them out for evaluation. The others are
   * members of the request: `decision` for episodes with other decisions, `curation` for what the plan dropped.
   */
  stage: z.enum(dropStages),
  episodes: count,
});
export type DroppedCount = z.infer<typeof droppedCountSchema>;

export const exportStatusSchema = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'sealed']);

export const exportSchema = z
  .strictObject({
    id: idSchema('exp'),
    project_id: idSchema('prj'),
    /** Source; `null` for a certified bundle, which covers all sources of the project. */
    source_id: idSchema('src').nullable(),
    dataset_path: z.string(),
    format: z.enum(exportedFormats),
    rate_hz: z.number().nullable(),
    /**
     * `sealed`: a person has sealed it; neither the export nor the source that it is based on can be changed or
     * deleted any more.
     */
    status: exportStatusSchema,
    chosen: exportChosenSchema,
    purpose: z.enum(['training', 'evaluation', 'certification']),
    /** Certification of a certified bundle; `null` for other exports. */
    certification: z
      .strictObject({
        origin: bundleManifestSchema.shape.origin,
        policy_version: z.int().positive(),
        /** SHA-256 of its inputs; equal inputs are sealed only once. */
        input_hash: sha256Schema,
      })
      .nullable(),
    episodes: z.strictObject({
      kept: count,
      dropped: count,
      /** Number of dropped episodes by stage; empty for exports of older versions. */
      dropped_by: z.array(droppedCountSchema),
      /** Number of selected episodes written so far. */
      written: count,
    }),
    /** Number of written files; 0 until it has succeeded. */
    files: count,
    bytes: count,
    /**
     * SHA-256 of the canonical JSON of its lineage or, for a certified bundle, of its manifest, which name every file
     * with its hash; `null` until it has succeeded.
     */
    seal: sha256Schema.nullable(),
    estimate_usd: usd,
    reserved_usd: usd,
    /** Cost so far, from measured compute time. */
    measured_usd: usd,
    compute_s: z.number().nonnegative(),
    error: workErrorSchema.nullable(),
    waiting: workErrorSchema.nullable(),
    created_by: actorIdSchema,
    created_at: timeSchema,
    started_at: timeSchema.nullable(),
    finished_at: timeSchema.nullable(),
    sealed_by: actorIdSchema.nullable(),
    sealed_at: timeSchema.nullable(),
  })
  .meta({ id: 'Export' });
export type Export = z.infer<typeof exportSchema>;

export const exportFileSchema = z
  .strictObject({
    path: z.string(),
    bytes: count,
    sha256: sha256Schema,
  })
  .meta({ id: 'ExportFile' });
export type ExportFile = z.infer<typeof exportFileSchema>;

const lineageEpisode = {
  /** Id and index in its source, and id in the service. */
  id: z.string(),
  source_index: count,
  decision: z.string(),
};

/** Lineage of an export, the content of its `assay-lineage.json`. */
export const lineageSchema = z
  .looseObject({
    schema: z.literal('assay/lineage/v1'),
    format: z.string(),
    assay: z.string(),
    source: z.looseObject({
      name: z.string(),
      format: z.string(),
      version: z.string().nullable(),
      files: z.array(z.strictObject({ path: z.string(), sha256: sha256Schema.nullable() })),
    }),
    settings_hash: z.string().nullable(),
    kept: z.array(z.looseObject({ ...lineageEpisode, index: count, receipt: z.string() })),
    dropped: z.array(
      z.looseObject({
        ...lineageEpisode,
        receipt: z.string().nullable(),
        reason: z.string(),
        /** Stage that dropped it, such as `held_out`; absent in local exports. */
        stage: z.enum(dropStages).optional(),
        flags: z.array(z.string()),
      }),
    ),
    edits: z.array(z.record(z.string(), z.unknown())),
    files: z.array(exportFileSchema),
    seal: sha256Schema,
  })
  .meta({ id: 'Lineage' });
