import type { CurationPlanInput, JsonValue } from '@assay/client';

/** A strategy of a plan, with the parameters that are not left at their defaults. */
export interface Stage {
  readonly strategy: string;
  readonly parameters?: Readonly<Record<string, JsonValue>> | undefined;
}

/** The plan that an address holds, so that a link shows it, and going back finds it. */
export interface PlanAddress {
  readonly stages?: readonly Stage[] | undefined;
  readonly seed?: number | undefined;
}

const most = 30;

/** Reads an address as anybody may have typed it: what makes no sense is left out. */
export function readPlan({ stages, seed }: Readonly<Record<string, unknown>>): PlanAddress {
  const list = Array.isArray(stages) ? stages.flatMap(stageOf).slice(0, most) : [];
  const isSeed = Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= 0xffffffff;
  return { ...(list.length === 0 ? {} : { stages: list }), ...(isSeed ? { seed: Number(seed) } : {}) };
}

/** As the service takes it. */
export const planOf = ({ stages = [], seed }: PlanAddress): CurationPlanInput => ({
  stages: stages.map((stage) => ({ ...stage })),
  ...(seed === undefined ? {} : { seed }),
});

function stageOf(given: unknown): readonly Stage[] {
  if (typeof given !== 'object' || given === null) return [];
  const { strategy, parameters } = given as Record<string, unknown>;
  if (typeof strategy !== 'string' || strategy.length > 100) return [];
  const isRecord = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  // From JSON, so that all in it is JSON.
  return [isRecord ? { strategy, parameters: parameters as Record<string, JsonValue> } : { strategy }];
}

/** With one stage moved by `by` places; as it is where there is no such place. */
export function moved(stages: readonly Stage[], at: number, by: -1 | 1): readonly Stage[] {
  const to = at + by;
  if (to < 0 || to >= stages.length) return stages;
  const rest = stages.toSpliced(at, 1);
  return rest.toSpliced(to, 0, stages[at]);
}

/** With one parameter set; undefined leaves it at its default. */
export function withParameter(stage: Stage, name: string, value: JsonValue | undefined): Stage {
  const { [name]: _, ...rest } = stage.parameters ?? {};
  const parameters = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(parameters).length === 0
    ? { strategy: stage.strategy }
    : { strategy: stage.strategy, parameters };
}
