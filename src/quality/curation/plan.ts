import { z } from 'zod';
import { AssayError, type JsonObject, type JsonValue, pointerPart } from '#core';
import { type StrategyId, strategies, strategyOf } from './registry.ts';

/** Stage that a service puts before a plan; it neither counts as one of its stages nor changes their random choices. */
export const heldOutStage = 'held_out' satisfies StrategyId;

/** Maximum number of stages of a plan, besides `held_out`. */
const maxStages = 30;

/** Schema of a handwritten plan: strategies in order, and a seed. */
export const planSchema = z.strictObject({
  seed: z.int().min(0).max(0xffffffff).default(0),
  stages: z
    .array(
      z.strictObject({ strategy: z.string(), parameters: z.record(z.string(), z.unknown()).default({}) }),
    )
    .min(1)
    .refine((stages) => stages.filter(({ strategy }) => strategy !== heldOutStage).length <= maxStages, {
      message: `must have at most ${maxStages} stages besides ${heldOutStage}`,
    }),
});

/** Plan as written by hand, before defaults are filled in. */
export type WrittenPlan = z.input<typeof planSchema>;

/** Plan with all parameters filled in. */
export interface CurationPlan {
  readonly seed: number;
  readonly stages: readonly { readonly strategy: string; readonly parameters: JsonObject }[];
}

/**
 * Validates a plan and fills in defaults; throws `invalid_request` with a JSON pointer for every unknown strategy and
 * every parameter that is unknown or out of range. `pointer`: location of the plan in the request.
 */
export function resolvePlan(written: unknown, pointer = '/body'): CurationPlan {
  const read = planSchema.safeParse(written);
  if (!read.success) throw createPlanError(collectErrors(read.error, pointer));
  const errors: PointedError[] = [];
  const stages = read.data.stages.map(({ strategy: id, parameters }, i) => {
    const at = `${pointer}/stages/${i}`;
    const strategy = strategyOf(id);
    if (strategy === undefined) {
      const message = `unknown strategy ${id.slice(0, 60)}; available: ${strategies.ids.join(', ')}`;
      errors.push({ pointer: `${at}/strategy`, message });
      return { strategy: id, parameters: {} };
    }
    const filled = strategy.parameters.safeParse(parameters);
    if (!filled.success) errors.push(...collectErrors(filled.error, `${at}/parameters`));
    return { strategy: id, parameters: filled.success ? toJson(filled.data) : {} };
  });
  if (errors.length > 0) throw createPlanError(errors);
  return { seed: read.data.seed, stages };
}

/** Converts parameters (numbers, strings, lists of strings) to JSON. */
const toJson = (parameters: Record<string, unknown>): JsonObject =>
  JSON.parse(JSON.stringify(parameters)) as { [name: string]: JsonValue };

interface PointedError {
  readonly pointer: string;
  readonly message: string;
}

function collectErrors(error: z.ZodError, pointer: string): PointedError[] {
  return error.issues.map(({ path, message }) => ({
    pointer: [pointer, ...path.map(pointerPart)].join('/'),
    message,
  }));
}

function createPlanError(errors: readonly PointedError[]): AssayError {
  const [{ pointer, message }] = errors;
  return new AssayError('invalid_request', `invalid plan at ${pointer}: ${message}`, {
    advice: 'list the strategies and their parameters with: assay curate --list-strategies',
    details: { errors: errors.map((error) => ({ ...error })) },
  });
}

/** Location of an episode. */
interface Origin {
  /** Absent if there is only one source. */
  readonly source?: string;
  /** Folder of its dataset; `.` for the whole source. */
  readonly dataset: string;
  readonly format: string;
  readonly name: string;
}

/**
 * Returns the name of each episode in a plan: its own name, prefixed with source and dataset only if these differ within
 * the set, so that a folder and a service with the same recordings produce plans with the same hash.
 */
export function planNames(origins: readonly Origin[]): string[] {
  const several = (of: (origin: Origin) => string | undefined): boolean => new Set(origins.map(of)).size > 1;
  const sources = several(({ source }) => source);
  const datasets = sources || several(({ dataset }) => dataset);
  const formats = several(({ source, dataset, format }) => JSON.stringify([source, dataset, format]));
  const names = origins.map(({ source, dataset, name }) =>
    [...(sources ? [source] : []), ...(datasets ? [dataset] : []), name].join('/'),
  );
  if (!formats || new Set(names).size === names.length) return names;
  return names.map((name, i) => `${name} (${origins[i].format})`);
}
