import type { Command } from 'commander';
import { whole } from '../../work-options.ts';

export interface PlanArguments {
  readonly strategy?: readonly string[];
  readonly plan?: string;
  readonly seed?: number;
  readonly operators?: string;
}

const several = (value: string, before: string[] = []): string[] => [...before, value];

/** Adds the options that describe a curation plan. */
export function withPlan(command: Command): Command {
  return command
    .option(
      '--strategy <name:key=value,...>',
      'Add a stage, such as diversity:keep=0.5. Repeatable; stages run in order (default: the recommended plan)',
      several,
    )
    .option(
      '--plan <file>',
      'Read the stages from a JSON file: {"seed": 0, "stages": [{"strategy": "decision"}]}',
    )
    .option('--seed <n>', 'Random seed; the same seed gives the same selection', whole(0))
    .option('--operators <file>', 'CSV file of operators, with lines episode,operator');
}
