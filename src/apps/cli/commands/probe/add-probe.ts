import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, whole, withWork } from '../../work-options.ts';

/** Declares `assay probe`; its implementation is loaded when it runs. */
export function addProbe(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const probe = program
    .command('probe')
    .description('train small policies on all, accepted and curated episodes, and compare them')
    .argument('[path]', 'file or folder; or --project');
  withWork(probe)
    .option('--plan <file>', 'what is curated: a plan of assay curate (default: what is recommended)')
    .option('--seed <n>', 'the same seed gives the same folds and intervals', whole(0), 0)
    .option(
      '--folds <n>',
      'number of parts in which the accepted episodes are held out, 2 to 10',
      foldCount,
      5,
    )
    .option(
      '--window <rows>',
      'rows of state that policies see, 1 to 4: the current one and sampled ones before it',
      windowRows,
      1,
    )
    .option(
      '--project <id or name>',
      'a project of a running service, instead of a path; --plan is then an applied one',
    )
    .option('--data <dir>', 'data folder of that service')
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--cache <dir>', 'where the index is kept (docs/search.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--json', 'print JSON')
    .action(async (path, args) => {
      const { probeCommand } = await import('./probe.ts');
      exit(await probeCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function foldCount(text: string): number {
  const folds = whole(2)(text);
  if (folds > 10) throw new InvalidArgumentError('It must be 10 at most.');
  return folds;
}

function windowRows(text: string): number {
  const rows = whole(1)(text);
  if (rows > 4) throw new InvalidArgumentError('It must be 4 at most.');
  return rows;
}
