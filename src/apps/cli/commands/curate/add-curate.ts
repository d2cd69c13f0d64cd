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
    .description('choose episodes to train on: which stay, which go, and why')
    .argument('[path]', 'file or folder');
  withWork(withPlan(curate))
    .option('--out <file>', 'write the plan, for assay export --plan')
    .option('--dry-run', 'print what would be kept and dropped, and why; write and store nothing')
    .option('--list-strategies', 'print the strategies with their parameters')
    .option('--project <id or name>', 'a project of a running service, instead of a path')
    .option('--data <dir>', 'data folder of that service')
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--cache <dir>', 'where the index is kept (docs/search.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--json', 'print JSON')
    .action(async (path, args) => {
      const { curateCommand } = await import('./curate.ts');
      exit(await curateCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
