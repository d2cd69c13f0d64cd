// Written by `npm run generate` from src/core/api. Change it there.
import type { UseCaseId } from './shared.ts';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly use_case: UseCaseId;
  readonly created_at: string;
  readonly updated_at: string;
}
