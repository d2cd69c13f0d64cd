import { z } from 'zod';
import { type ModelSurfaceId, modelSurfaceIds } from '#core/api';
import { objectToModel, surfaceOf } from '#labels/models';

type Variable = `ASSAY_MODEL_${Uppercase<ModelSurfaceId>}`;

const variableOf = (surface: ModelSurfaceId): Variable => `ASSAY_MODEL_${surface.toUpperCase()}` as Variable;

/** A variable for the model of each surface; only its options. */
export const modelVariables = Object.fromEntries(
  modelSurfaceIds.map((id) => [variableOf(id), modelVariable(id)]),
) as Record<Variable, ReturnType<typeof modelVariable>>;

function modelVariable(id: ModelSurfaceId) {
  const surface = surfaceOf(id);
  return z
    .string()
    .superRefine((model, context) => {
      const message = objectToModel(surface, model);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .describe(
      `Model of the surface \`${id}\` (${surface.title.toLowerCase()}), whatever tenants and projects choose: ${surface.options.map((option) => `\`${option.id}\``).join(', ')}.`,
    );
}

/** The models that the environment names. */
export function modelsOf(
  environment: Readonly<Partial<Record<Variable, string | undefined>>>,
): Readonly<Partial<Record<ModelSurfaceId, string>>> {
  return Object.fromEntries(
    modelSurfaceIds.flatMap((id) => {
      const model = environment[variableOf(id)];
      return model === undefined ? [] : [[id, model]];
    }),
  );
}

/** Of the names that are set, those that look like the model of a surface and are none. */
export function unknownModelVariables(names: readonly string[]): readonly string[] {
  const known = new Set<string>([...Object.keys(modelVariables), 'ASSAY_MODEL_HUB']);
  return names.filter((name) => name.startsWith('ASSAY_MODEL_') && !known.has(name));
}
