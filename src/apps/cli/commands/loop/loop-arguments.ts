import type { PlaceArguments } from '../../service-place.ts';
import type { PlanArguments } from '../curate/curate-options.ts';
import type { FailureContext } from './failures-of.ts';

export interface LoopArguments extends PlanArguments, PlaceArguments, FailureContext {
  readonly failures: string;
  readonly neighbours: number;
  readonly novelFrom: number;
  readonly factor: number;
  readonly format?: string;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly project?: string;
  readonly json?: boolean;
}
