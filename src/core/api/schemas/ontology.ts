import { z } from 'zod';
import { layerIdSchema } from '../annotation-layers.ts';
import { idSchema, nameSchema } from '../primitives.ts';

const count = z.int().nonnegative();
const className = nameSchema.max(100);
const distribution = z.array(z.strictObject({ value: z.string().nullable(), episodes: count }));

export const ontologySummarySchema = z
  .strictObject({
    project_id: idSchema('prj'),
    workspace_id: idSchema('ws'),
    /** Classes found in recordings first, by number of episodes. */
    classes: z.array(
      z.strictObject({
        name: z.string(),
        status: z.enum(['declared_and_found', 'found_not_declared', 'declared_not_found']),
        /** Names used by recordings and annotation layers. */
        found_as: z.array(z.string()),
        /** `recording`: labels in the recordings; otherwise the annotation layers that found it. */
        found_by: z.array(z.enum(['recording', ...layerIdSchema.options])),
        episodes: count,
        /** Ten most frequent values over the episodes that show it. */
        properties: z.strictObject({
          decision: distribution,
          task: distribution,
          robot: distribution,
          outcome: distribution,
        }),
      }),
    ),
    /** Classes declared by the workspace. */
    declared: z.array(z.string()),
    /** Renames of the project, from recorded name to class. */
    renames: z.record(z.string(), z.string()),
    episodes: count,
    episodes_with_labels: count,
    /** List of what was not examined. */
    limits: z.array(z.string()),
  })
  .meta({ id: 'OntologySummary' });

export const setOntologySchema = z.strictObject({
  /** Renames by class; `null` restores the recorded name. */
  renames: z.record(className, className.nullable()).optional(),
  merges: z
    .array(z.strictObject({ classes: z.array(className).min(1).max(1000), into: className }))
    .max(1000)
    .optional(),
  /** Classes to declare for the workspace, and classes to remove from the declared ones. */
  declare: z.array(className).max(1000).optional(),
  undeclare: z.array(className).max(1000).optional(),
});

export type OntologySummary = z.infer<typeof ontologySummarySchema>;
export type SetOntology = z.infer<typeof setOntologySchema>;
