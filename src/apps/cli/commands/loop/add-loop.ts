import { type Command, InvalidArgumentError, Option } from 'commander';
import { exportFormatIds } from '#core/api/bounds';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, whole, withWork } from '../../work-options.ts';
import { withPlan } from '../curate/curate-options.ts';

/** Declares `assay loop`; its implementation is loaded when it runs. */
export function addLoop(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const loop = program
    .command('loop')
    .description(
      'Compare the failures of a policy with its training episodes, and curate again around the nearest ones',
    )
    .argument('[path]', 'Training data, a file or folder; omit it with --project')
    .requiredOption(
      '--failures <path>',
      'Failures: JSON, CSV, eval_info.json of lerobot-eval, or recordings (docs/failures.md)',
    );
  withWork(withPlan(loop))
    .option('--task <text>', 'Task to assume for failures without a task')
    .option('--neighbours <n>', 'Number of nearest episodes per failure, 1 to 20', neighbours, 5)
    .option(
      '--novel-from <share>',
      'Novelty from which a failure counts as outside the training data, 0 to 1',
      share,
      0.95,
    )
    .option('--factor <n>', 'Sampling weight of the nearest episodes, 1.01 to 100', factor, 2)
    .option('--out <file>', 'Write the plan to this file, for `assay export --plan`')
    .option('--dry-run', 'Show what would be written; with --project, import nothing')
    .option('--project <id or name>', 'Project of a running service, instead of a path')
    .option('--data <dir>', 'Data folder of that service')
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .addOption(
      new Option('--format <format>', 'With --project: format of the export that the service stages').choices(
        exportFormatIds,
      ),
    )
    .option('--cache <dir>', 'Folder for the cached episode index (docs/search.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--json', 'Print JSON')
    .action(async (path, args) => {
      const { loopCommand } = await import('./loop.ts');
      exit(await loopCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function neighbours(text: string): number {
  const number = whole(1)(text);
  if (number > 20) throw new InvalidArgumentError('Must be at most 20.');
  return number;
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('Must be between 0 and 1.');
  return value;
}

function factor(text: string): number {
  const value = Number(text);
  if (!(value >= 1.01 && value <= 100)) throw new InvalidArgumentError('Must be between 1.01 and 100.');
  return value;
}
