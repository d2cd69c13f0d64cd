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
      'a stage, such as diversity:keep=0.5; may be repeated, in order (default: what is recommended)',
      several,
    )
    .option('--plan <file>', 'stages from a JSON file, {"seed": 0, "stages": [{"strategy": "decision"}]}')
    .option('--seed <n>', 'the same seed makes the same choice', whole(0))
    .option('--operators <file>', 'who recorded what: lines of episode,operator');
}
