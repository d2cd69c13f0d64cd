// Written by `npm run generate` from src/core/api. Change it there.
import type { Run } from './shared.ts';

export interface GetReadinessSettingsInput {
  readonly project_id: string;
}

export interface SetReadinessSettingsInput {
  readonly project_id: string;
  readonly checks?:
    | Readonly<
        Record<
          string,
          {
            readonly enabled?: boolean | null | undefined;
            readonly threshold_offset?: number | null | undefined;
            readonly weight_factor?: number | null | undefined;
          }
        >
      >
    | undefined;
  readonly loaders?: readonly string[] | null | undefined;
}

export interface GetTargetReadinessInput {
  readonly project_id: string;
}

export interface RescoreProjectInput {
  readonly project_id: string;
  readonly source_id?: string | undefined;
}

/** What `rescore_project` answers. */
export interface RescoreProjectAnswer {
  readonly items: readonly Run[];
}
