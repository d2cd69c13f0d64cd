import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, whole, withWork } from '../../work-options.ts';

/** Declares `assay probe`; its implementation is loaded when it runs. */
export function addProbe(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const probe = program
    .command('probe')
    .description('Train small policies on all, accepted and curated episodes, and compare them')
    .argument('[path]', 'File or folder; omit it with --project');
  withWork(probe)
    .option(
      '--plan <file>',
      'Plan of `assay curate` that selects the curated episodes (default: the recommended plan)',
    )
    .option('--seed <n>', 'Random seed; the same seed gives the same folds and intervals', whole(0), 0)
    .option('--folds <n>', 'Number of cross-validation folds of the accepted episodes, 2 to 10', foldCount, 5)
    .option(
      '--window <rows>',
      'Rows of state that the policies see, 1 to 4: the current row and sampled earlier ones',
      windowRows,
      1,
    )
    .option(
      '--project <id or name>',
      'Project of a running service, instead of a path; --plan is then the id of an applied plan',
    )
    .option('--data <dir>', 'Data folder of that service')
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--cache <dir>', 'Folder for the cached episode index (docs/search.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--json', 'Print JSON')
    .action(async (path, args) => {
      const { probeCommand } = await import('./probe.ts');
      exit(await probeCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function foldCount(text: string): number {
  const folds = whole(2)(text);
  if (folds > 10) throw new InvalidArgumentError('Must be at most 10.');
  return folds;
}

function windowRows(text: string): number {
  const rows = whole(1)(text);
  if (rows > 4) throw new InvalidArgumentError('Must be at most 4.');
  return rows;
}
