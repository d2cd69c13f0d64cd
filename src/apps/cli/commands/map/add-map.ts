import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';

/** Declares `assay map`; its implementation is loaded when it runs. */
export function addMap(program: Command, io: Io, exit: Exit): void {
  program
    .command('map')
    .description('describe your own CSV or Parquet, so that it can be read')
    .command('init')
    .description('propose assay.map.yaml from what the CSV or Parquet files of a folder show')
    .argument('<path>', 'folder of the tables')
    .option('--print', 'print the map and write nothing')
    .action(async (path, args) => {
      const { mapInitCommand } = await import('./map-init.ts');
      exit(await mapInitCommand(path, args, io));
    });
}
