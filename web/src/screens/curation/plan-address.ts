import type { CurationPlanInput, JsonValue } from '#client';

/** Stage of a plan: strategy and the parameters that differ from their defaults. */
export interface Stage {
  readonly strategy: string;
  readonly parameters?: Readonly<Record<string, JsonValue>> | undefined;
}

/** Plan in the URL, so that links and the browser history contain it. */
export interface PlanAddress {
  readonly stages?: readonly Stage[] | undefined;
  readonly seed?: number | undefined;
}

const most = 30;

/** Parses URL parameters; invalid ones are ignored. */
export function readPlan({ stages, seed }: Readonly<Record<string, unknown>>): PlanAddress {
  const list = Array.isArray(stages) ? stages.flatMap(stageOf).slice(0, most) : [];
  const isSeed = Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= 0xffffffff;
  return { ...(list.length === 0 ? {} : { stages: list }), ...(isSeed ? { seed: Number(seed) } : {}) };
}

/** Converts the URL parameters to a plan for the API. */
export const planOf = ({ stages = [], seed }: PlanAddress): CurationPlanInput => ({
  stages: stages.map((stage) => ({ ...stage })),
  ...(seed === undefined ? {} : { seed }),
});

function stageOf(given: unknown): readonly Stage[] {
  if (typeof given !== 'object' || given === null) return [];
  const { strategy, parameters } = given as Record<string, unknown>;
  if (typeof strategy !== 'string' || strategy.length > 100) return [];
  const isRecord = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  // The value comes from JSON, so its members are JSON values.
  return [isRecord ? { strategy, parameters: parameters as Record<string, JsonValue> } : { strategy }];
}

/** Returns the stages with one moved by `by` places, or unchanged if that is out of range. */
export function moved(stages: readonly Stage[], at: number, by: -1 | 1): readonly Stage[] {
  const to = at + by;
  if (to < 0 || to >= stages.length) return stages;
  const rest = stages.toSpliced(at, 1);
  return rest.toSpliced(to, 0, stages[at]);
}

/** Returns the stage with one parameter set; undefined resets it to the default. */
export function withParameter(stage: Stage, name: string, value: JsonValue | undefined): Stage {
  const { [name]: _, ...rest } = stage.parameters ?? {};
  const parameters = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(parameters).length === 0
    ? { strategy: stage.strategy }
    : { strategy: stage.strategy, parameters };
}
