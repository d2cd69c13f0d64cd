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
      'compare failures of a policy with the episodes it learnt from, and curate again around the nearest',
    )
    .argument('[path]', 'the training data: file or folder')
    .requiredOption(
      '--failures <path>',
      'JSON, CSV, eval_info.json of lerobot-eval, or recordings (docs/failures.md)',
    );
  withWork(withPlan(loop))
    .option('--task <text>', 'task of the failures that name none')
    .option('--neighbours <n>', 'nearest episodes of each failure, 1 to 20', neighbours, 5)
    .option('--novel-from <share>', 'failures with at least this novelty are out of the data', share, 0.95)
    .option('--factor <n>', 'weight of the nearest episodes, above 1', factor, 2)
    .option('--out <file>', 'write the plan, for assay export --plan')
    .option('--dry-run', 'print what would be written; at a service import nothing')
    .option('--project <id or name>', 'a project of a running service, instead of a path')
    .option('--data <dir>', 'data folder of that service')
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .addOption(
      new Option('--format <format>', 'of the export that a service stages').choices(exportFormatIds),
    )
    .option('--cache <dir>', 'where the index is kept (docs/search.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--json', 'print JSON')
    .action(async (path, args) => {
      const { loopCommand } = await import('./loop.ts');
      exit(await loopCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function neighbours(text: string): number {
  const number = whole(1)(text);
  if (number > 20) throw new InvalidArgumentError('It must be 20 at most.');
  return number;
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be 0 to 1.');
  return value;
}

function factor(text: string): number {
  const value = Number(text);
  if (!(value >= 1.01 && value <= 100)) throw new InvalidArgumentError('It must be 1.01 to 100.');
  return value;
}
