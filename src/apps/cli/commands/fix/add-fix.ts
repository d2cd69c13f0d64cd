import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';

/** Declares `assay fix`; its implementation is loaded when it runs. */
export function addFix(program: Command, io: Io, exit: Exit): void {
  program
    .command('fix')
    .description('mend a dataset: list what would change, and change it with --apply')
    .argument('<path>', 'folder of the dataset')
    .option('--apply', 'write the changes; the originals are kept in .assay-fix')
    .option('--undo', 'put back what the last --apply changed')
    .option('--out <dir>', 'write a mended copy there and leave the dataset as it is')
    .option('--stamps', 'put time stamps onto the grid of the declared rate')
    .option('--video', 'mend video files, without encoding them again')
    .option(
      '--pictures',
      'compare statistics of pictures with the pictures: decodes a sample of every episode',
    )
    .option('--json', 'print the plan as JSON')
    .action(async (path, args) => {
      const { fixCommand } = await import('./fix.ts');
      exit(await fixCommand(path, args, io));
    });
}
