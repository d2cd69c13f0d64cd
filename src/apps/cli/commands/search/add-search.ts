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
    .description('find episodes by what is known about them, or by likeness to one of them')
    .argument('[path]', 'file or folder; without one, --project at a service');
  withSearchOptions(search)
    .option('--most <n>', 'how many answers', whole(1), 20)
    .action(async (path, args) => {
      const { searchCommand } = await import('./search.ts');
      exit(await searchCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Declares `assay slice`; its implementation is loaded when it runs. */
export function addSlice(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const slice = program
    .command('slice')
    .description('keep what a search finds now, with its query, coverage and hashes')
    .argument('[path]', 'file or folder; without one, --project at a service');
  withSearchOptions(slice)
    .option('--name <name>', 'of the slice')
    .option('--out <file>', 'a new JSON file for the slice of a folder')
    .option('--most <n>', 'at most this many members, the best of a ranking', whole(1), 100_000)
    .option('--dry-run', 'print what it would hold; write nothing')
    .action(async (path, args) => {
      const { sliceCommand } = await import('./slice.ts');
      exit(await sliceCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Adds the options of commands that find episodes in a folder or at a service. */
function withSearchOptions(command: Command): Command {
  return withRanking(withFilters(withWork(command)))
    .option('--cache <dir>', 'where the index is kept (docs/search.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--project <id or name>', 'search this project at a running service')
    .option('--data <dir>', 'its data folder (default: ASSAY_DATA_DIR, or assay-data)')
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--json', 'print JSON');
}
