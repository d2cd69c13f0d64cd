import { type Command, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, withWork } from '../../work-options.ts';
import { withPlan } from './curate-options.ts';

/** Declares `assay curate`; its implementation is loaded when it runs. */
export function addCurate(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const curate = program
    .command('curate')
    .description('Choose the episodes to train on, with a reason for each one that is dropped')
    .argument('[path]', 'File or folder; omit it with --project');
  withWork(withPlan(curate))
    .option('--out <file>', 'Write the plan to this file, for `assay export --plan`')
    .option('--dry-run', 'Show what would be kept and dropped, and why; write and store nothing')
    .option('--list-strategies', 'List the strategies and their parameters')
    .option('--project <id or name>', 'Project of a running service, instead of a path')
    .option('--data <dir>', 'Data folder of that service')
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--cache <dir>', 'Folder for the cached episode index (docs/search.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--json', 'Print JSON')
    .action(async (path, args) => {
      const { curateCommand } = await import('./curate.ts');
      exit(await curateCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
