import { type Command, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, whole, withWork } from '../../work-options.ts';
import { withFilters, withRanking } from './search.ts';

/** Declares `assay search`; its implementation is loaded when it runs. */
export function addSearch(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const search = program
    .command('search')
    .description('Find episodes by filters, or by similarity to an episode')
    .argument('[path]', 'File or folder; omit it with --project');
  withSearchOptions(search)
    .option('--most <n>', 'Maximum number of results', whole(1), 20)
    .action(async (path, args) => {
      const { searchCommand } = await import('./search.ts');
      exit(await searchCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Declares `assay slice`; its implementation is loaded when it runs. */
export function addSlice(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const slice = program
    .command('slice')
    .description('Save the current results of a search, with query, coverage and hashes')
    .argument('[path]', 'File or folder; omit it with --project');
  withSearchOptions(slice)
    .option('--name <name>', 'Name of the slice')
    .option('--out <file>', 'New JSON file for the slice of a folder')
    .option('--most <n>', 'Maximum number of episodes; keeps the best-ranked ones', whole(1), 100_000)
    .option('--dry-run', 'Show what the slice would contain; write nothing')
    .action(async (path, args) => {
      const { sliceCommand } = await import('./slice.ts');
      exit(await sliceCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Adds the options of commands that find episodes in a folder or at a service. */
function withSearchOptions(command: Command): Command {
  return withRanking(withFilters(withWork(command)))
    .option('--cache <dir>', 'Folder for the cached episode index (docs/search.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--project <id or name>', 'Project of a running service, instead of a path')
    .option('--data <dir>', 'Data folder of that service (default: ASSAY_DATA_DIR, or assay-data)')
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print JSON');
}
