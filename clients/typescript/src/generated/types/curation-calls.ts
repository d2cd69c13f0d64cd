// Written by `npm run generate` from src/core/api. Change it there.
import type { CurationPlanInput, JsonValue } from './shared.ts';

export interface ListCurationStrategiesInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type PreviewCurationInput = {
  readonly project_id: string;
} & CurationPlanInput;

export interface ApplyCurationInput {
  readonly project_id: string;
  readonly seed?: number | undefined;
  readonly stages: readonly {
    readonly strategy: string;
    readonly parameters?: Readonly<Record<string, JsonValue>> | undefined;
  }[];
  readonly name?: string | undefined;
  readonly expected_plan_hash?: string | undefined;
}

export interface RecommendCurationInput {
  readonly project_id: string;
}

export interface CurateInput {
  readonly project_id: string;
  readonly strategy: string;
  readonly parameters?: Readonly<Record<string, JsonValue>> | undefined;
  readonly seed?: number | undefined;
  readonly name?: string | undefined;
}

export interface ListCurationPlansInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GetCurationPlanInput {
  readonly project_id: string;
  readonly plan_id: string;
}

export interface GetUtilityInput {
  readonly project_id: string;
}

export interface RunAblationInput {
  readonly project_id: string;
  readonly plan?: CurationPlanInput | undefined;
  readonly plan_id?: string | undefined;
}

export interface RunProbeInput {
  readonly project_id: string;
  readonly plan?: CurationPlanInput | undefined;
  readonly plan_id?: string | undefined;
  readonly seed?: number | undefined;
  readonly folds?: number | undefined;
  readonly window?: number | undefined;
}

export interface GetDistributionGapInput {
  readonly project_id: string;
  readonly least_episodes?: number | undefined;
}

export interface GetOntologySummaryInput {
  readonly project_id: string;
}

export interface SetOntologySummaryInput {
  readonly project_id: string;
  readonly renames?: Readonly<Record<string, string | null>> | undefined;
  readonly merges?:
    | readonly {
        readonly classes: readonly string[];
        readonly into: string;
      }[]
    | undefined;
  readonly declare?: readonly string[] | undefined;
  readonly undeclare?: readonly string[] | undefined;
}
