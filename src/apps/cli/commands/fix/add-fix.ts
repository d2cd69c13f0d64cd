import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';

/** Declares `assay fix`; its implementation is loaded when it runs. */
export function addFix(program: Command, io: Io, exit: Exit): void {
  program
    .command('fix')
    .description('Repair a dataset: list the changes, and write them with --apply')
    .argument('<path>', 'Dataset folder')
    .option('--apply', 'Write the changes; the originals are kept in .assay-fix')
    .option('--undo', 'Revert the last --apply')
    .option('--out <dir>', 'Write a repaired copy to this folder and leave the dataset unchanged')
    .option('--stamps', 'Align timestamps with the declared frame rate')
    .option('--video', 'Repair video files without re-encoding them')
    .option(
      '--pictures',
      'Check the image statistics of the metadata against decoded frames (a sample of every episode)',
    )
    .option('--json', 'Print the plan as JSON')
    .action(async (path, args) => {
      const { fixCommand } = await import('./fix.ts');
      exit(await fixCommand(path, args, io));
    });
}
