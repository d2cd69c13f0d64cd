import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';

/** Declares `assay map`; its implementation is loaded when it runs. */
export function addMap(program: Command, io: Io, exit: Exit): void {
  program
    .command('map')
    .description('Describe your own CSV or Parquet files so that Assay can read them')
    .command('init')
    .description('Propose an assay.map.yaml for the CSV or Parquet files in a folder')
    .argument('<path>', 'Folder with the files')
    .option('--print', 'Print the mapping and write nothing')
    .action(async (path, args) => {
      const { mapInitCommand } = await import('./map-init.ts');
      exit(await mapInitCommand(path, args, io));
    });
}
