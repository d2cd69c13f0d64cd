import { z } from 'zod';
import { kindSchema } from '../kinds.ts';
import { idSchema, nameSchema, timeSchema } from '../primitives.ts';
import { exportFormatIds, targetProfileIdSchema, useCaseIdSchema, useCaseInputSchema } from './use-cases.ts';

export const workspaceSchema = z
  .strictObject({
    id: idSchema('ws'),
    name: z.string(),
    use_case: useCaseIdSchema,
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.infer<typeof workspaceSchema>;

export const createWorkspaceSchema = z.strictObject({ name: nameSchema, use_case: useCaseInputSchema });
export const updateWorkspaceSchema = z.strictObject({ name: nameSchema });

export const setUseCaseSchema = z.strictObject({
  use_case: useCaseInputSchema,
  /** Handling of projects whose target profile does not apply under the new use case: refuse the change, or keep them as they are. */
  unfit_projects: z.enum(['refuse', 'keep']).default('refuse'),
});

const count = z.int().nonnegative();

/** Detected kind of most episodes, and the kind in effect. */
const dataKind = {
  /** Kind in effect: the pinned kind, else that of most episodes; `null` if there is neither. */
  effective: kindSchema.nullable(),
  from: z.enum(['pinned', 'derived', 'none']),
  pinned: kindSchema.nullable(),
  /** Kind of most episodes; in a tie, the kind that comes first in the contract. */
  derived: kindSchema.nullable(),
  /** Number of episodes by kind (detected from their streams), most frequent first. */
  counts: z.array(z.strictObject({ kind: kindSchema, episodes: count })),
};

export const projectSchema = z
  .strictObject({
    id: idSchema('prj'),
    workspace_id: idSchema('ws'),
    name: z.string(),
    use_case: useCaseIdSchema,
    target_profile: targetProfileIdSchema,
    /** Reason why the target profile does not apply under the workspace's use case; `null` if it applies. */
    target_profile_unfit: z.string().nullable(),
    data_kind: z.strictObject(dataKind),
    episodes: count,
    /** Counts of automatic decisions. */
    decisions: z.strictObject({ accept: count, review: count, reject: count }),
    /** Number of episodes that a person has reviewed. */
    reviewed: count,
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof projectSchema>;

export const createProjectSchema = z.strictObject({
  workspace_id: idSchema('ws'),
  name: nameSchema,
  target_profile: targetProfileIdSchema,
});
export const updateProjectSchema = z
  .strictObject({ name: nameSchema.optional(), target_profile: targetProfileIdSchema.optional() })
  .refine((body) => Object.keys(body).length > 0, 'name or target_profile is required');

export const setDataKindSchema = z.strictObject({
  /** Kind to pin; null to use the detected kind again. */
  kind: kindSchema.nullable(),
});

export const dataKindSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    ...dataKind,
    /** Newest episode of each kind, with the evidence for its kind. */
    examples: z.array(
      z.strictObject({ kind: kindSchema, episode_id: idSchema('ep'), evidence: z.array(z.string()) }),
    ),
    /** Number of episodes that were last evaluated as a kind other than the effective one. */
    judged_as_another_kind: count,
    /** Consequences of the kind, such as a run that is needed. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'DataKind' });
export type DataKind = z.infer<typeof dataKindSchema>;

export const projectFormatsSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    use_case: useCaseIdSchema,
    target_profile: targetProfileIdSchema,
    data_kind: kindSchema.nullable(),
    source_formats: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        carries: z.string(),
        fits: z.boolean(),
        reason: z.string().nullable(),
        readable: z.boolean(),
        /** Number of the project's episodes in this format. */
        episodes: count,
      }),
    ),
    export_formats: z.array(
      z.strictObject({
        id: z.enum(exportFormatIds),
        title: z.string(),
        carries: z.string(),
        fits: z.boolean(),
        reason: z.string().nullable(),
        /** True for the format that the target profile recommends. */
        recommended: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'ProjectFormats' });
export type ProjectFormats = z.infer<typeof projectFormatsSchema>;
