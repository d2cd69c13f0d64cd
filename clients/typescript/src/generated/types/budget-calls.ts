// Written by `npm run generate` from src/core/api. Change it there.
export interface SetBudgetInput {
  readonly cap_usd: number | null;
}

export interface GetCostsInput {
  readonly group_by?: 'layer' | 'project' | 'day' | 'model' | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}
