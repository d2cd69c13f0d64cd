import { z } from 'zod';
import { layerIdSchema, layerModeSchema, modelSurfaceIdSchema } from '../annotation-layers.ts';
import { kindSchema } from '../kinds.ts';
import { idSchema, jsonSchema } from '../primitives.ts';
import { computeEstimateSchema } from './estimate.ts';
import { exportFormatIds, presetIds, targetProfileIdSchema, useCaseIdSchema } from './use-cases.ts';

const count = z.int().nonnegative();
const modesSchema = z.partialRecord(layerIdSchema, layerModeSchema);
const knobValue = z.union([z.number(), z.boolean(), z.string(), z.array(z.string())]);
const configSchema = z.partialRecord(layerIdSchema, z.record(z.string(), knobValue));
const modelsSchema = z.partialRecord(modelSurfaceIdSchema, z.string());

const knobSchema = z.strictObject({
  id: z.string(),
  type: z.enum(['number', 'integer', 'choice', 'flag', 'names']),
  summary: z.string(),
  /** True if changing it changes the cost of the layer. */
  moves_cost: z.boolean(),
  default: knobValue,
  value: knobValue,
  from: z.enum(['project', 'workspace', 'default']),
  /** Minimum of a number setting. */
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  unit: z.string().nullable().optional(),
  /** Values of a choice setting. */
  values: z.array(z.string()).optional(),
});

const layerSchema = z.strictObject({
  id: layerIdSchema,
  title: z.string(),
  /** Description of the annotation that an episode gets. */
  produces: z.string(),
  kinds: z.array(kindSchema),
  surfaces: z.array(modelSurfaceIdSchema),
  quality: z.strictObject({ signal: z.string(), how: z.string() }),
  export_formats: z.array(z.enum(exportFormatIds)),
  servable: z.boolean(),
  /** Modes that it can be set to; any other is replaced by the next lower one. */
  offered_modes: z.array(layerModeSchema),
  mode: layerModeSchema,
  /** Source of the mode; `pinned` means that the layer is not served, whatever is stored. */
  mode_from: z.enum(['project', 'workspace', 'default', 'pinned']),
  mode_reason: z.string(),
  /** Stored mode if the layer does not offer it; `null` otherwise. */
  asked_mode: layerModeSchema.nullable(),
  applicable: z.boolean(),
  /** Reason why not; `null` if it is. */
  inapplicable_reason: z.string().nullable(),
  applicable_episodes: count,
  /** True if the next run executes it. */
  runs: z.boolean(),
  knobs: z.array(knobSchema),
});

const evidenceSchema = z.strictObject({
  benchmark: z.string(),
  metric: z.string(),
  score: z.number(),
  unit: z.enum(['percent', 'ratio', 'px', 'mm']),
  /**
   * `own`: its authors’ README or paper; `secondary`: quoted by others; `measured`: by Assay, with the model as it runs
   * here. Results from different sources are not comparable.
   */
  source: z.enum(['own', 'secondary', 'measured']),
  note: z.string().nullable(),
});

const model = {
  id: z.string(),
  title: z.string(),
  licence: z.string(),
  evidence: z.array(evidenceSchema),
  /** Reason why there are no benchmark results; `null` if there are. */
  no_evidence: z.string().nullable(),
};

const weightsSchema = z.strictObject({
  /** Folder of its files, below the data folder. */
  folder: z.string(),
  /** Reason why the files cannot be used; `null` if none is known. */
  fault: z.string().nullable(),
  /** Repository and revision on a hub; `null` if no export is known that reproduces the benchmark results. */
  source: z.strictObject({ repository: z.string(), revision: z.string() }).nullable(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** Size in bytes; `null` if unknown. */
      bytes: count.nullable(),
      /** SHA-256 that the file must have; `null` if none is pinned. */
      sha256: z.string().nullable(),
      present: z.boolean(),
    }),
  ),
});
export type ModelWeights = z.infer<typeof weightsSchema>;

const installedSchema = z.enum([
  'bundled',
  'installed',
  'files_present',
  'unusable',
  'absent',
  'no_weights_needed',
  'endpoint',
]);
export type InstalledState = z.infer<typeof installedSchema>;

const surfaceSchema = z
  .strictObject({
    id: modelSurfaceIdSchema,
    title: z.string(),
    selectable: z.boolean(),
    chosen: z.strictObject({
      model: z.string(),
      from: z.enum(['default', 'use_case', 'tenant', 'project', 'environment']),
      /** Configured model that is not an option of the surface and was therefore ignored; `null` if there is none. */
      passed_over: z.string().nullable(),
      /** Missing requirements of the model, such as files of its weights; `null` if it can run here. */
      missing: z.string().nullable(),
    }),
    options: z.array(
      z.strictObject({
        ...model,
        runtime: z.enum(['onnx', 'tfjs', 'algorithm', 'endpoint', 'bundled']),
        /** Reason why it is never a default and runs only where it was chosen; `null` for all others. */
        needs_consent: z.string().nullable(),
        /**
         * State of the model's weights on the machine that answers. `installed`: `assay models pull` or `verify` has
         * loaded these files and run them once; `files_present`: not tried yet; `unusable`: they cannot be loaded, as
         * `weights.fault` says.
         */
        installed: installedSchema,
        /** Weights, in answers of the registry for models that have them. */
        weights: weightsSchema.optional(),
      }),
    ),
    /** Models with equal or better results that cannot be used because of their licence. */
    rejected: z.array(z.strictObject({ ...model, reason: z.string() })),
  })
  .meta({ id: 'ModelSurface' });
export type ModelSurface = z.infer<typeof surfaceSchema>;

/** The first 100 sent settings that are stored differently or not at all; empty unless this answers a change. */
const adjustedSchema = z.array(
  z.strictObject({
    pointer: z.string(),
    /** Value that was sent; `null` if it is too long to repeat. */
    asked: jsonSchema,
    /** Value that is stored; `null` if it was dropped. */
    stored: knobValue.nullable(),
    reason: z.string(),
  }),
);

export const annotationSettingsSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    workspace_id: idSchema('ws'),
    use_case: useCaseIdSchema,
    target_profile: targetProfileIdSchema,
    data_kind: kindSchema.nullable(),
    layers: z.array(layerSchema),
    models: z.array(surfaceSchema),
    presets: z.array(
      z.strictObject({
        id: z.enum(presetIds),
        title: z.string(),
        summary: z.string(),
        modes: modesSchema,
        /** True if it was written for the workspace's use case. */
        offered: z.boolean(),
        /** True if none of its layers applies to the project. */
        disabled: z.boolean(),
        reason: z.string().nullable(),
      }),
    ),
    /** Estimates are not rounded: the costs of the layers add up to the cost of the run. */
    cost_preview: z.strictObject({
      /** Layers that the next run executes, and episodes that can carry them. */
      layers: z.array(
        z.strictObject({
          layer: layerIdSchema,
          episodes: count,
          compute_s_per_episode: z.number(),
          usd_per_episode: z.number(),
          /** Estimated compute time per episode, with its basis and range. */
          estimate: computeEstimateSchema,
          /** The basis of the estimate. */
          basis: computeEstimateSchema.shape.basis,
        }),
      ),
      episodes: count,
      /** Mean over the project’s episodes. */
      per_episode_usd: z.number(),
      projected_usd: z.number(),
    }),
    /** Modes stored for the workspace; empty means that defaults apply. */
    workspace_modes: modesSchema,
    /** Modes stored for the project; empty means that it inherits them. */
    project_modes: modesSchema,
    workspace_config: configSchema,
    project_config: configSchema,
    project_models: modelsSchema,
    adjusted: adjustedSchema,
  })
  .meta({ id: 'AnnotationSettings' });
export type AnnotationSettings = z.infer<typeof annotationSettingsSchema>;

/** Change of settings: omitted members keep their values; an empty object resets a member to the inherited values. */
export const setAnnotationSettingsSchema = z.strictObject({
  modes: modesSchema.optional(),
  /** Sets the mode of every layer; `modes` override it. */
  preset: z.enum(presetIds).optional(),
  /** Settings by layer. Numbers are clamped to their range and unknown settings are dropped; nothing is rejected. */
  config: z.record(z.string(), z.unknown()).optional(),
  /** Models by surface; each must be an option of its surface. */
  models: z.record(z.string(), z.string()).optional(),
});

export const workspaceAnnotationSettingsSchema = z
  .strictObject({
    workspace_id: idSchema('ws'),
    workspace_modes: modesSchema,
    workspace_config: configSchema,
    adjusted: adjustedSchema,
  })
  .meta({ id: 'WorkspaceAnnotationSettings' });
export type WorkspaceAnnotationSettings = z.infer<typeof workspaceAnnotationSettingsSchema>;

export const setWorkspaceAnnotationSettingsSchema = setAnnotationSettingsSchema.omit({ models: true });

export const modelRegistrySchema = z
  .strictObject({
    items: z.array(surfaceSchema),
    /** Models chosen for all projects of the tenant; empty if none were chosen. */
    tenant_models: modelsSchema,
  })
  .meta({ id: 'ModelRegistry' });
export type ModelRegistry = z.infer<typeof modelRegistrySchema>;

/** Models by surface; each must be an option of its surface. An empty object clears the choice. */
export const setTenantModelsSchema = z.strictObject({ models: z.record(z.string(), z.string()) });
