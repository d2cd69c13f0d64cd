import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { plainHttp } from '../../work-options.ts';

/** Declares `assay inspect`; its implementation is loaded when it runs. */
export function addInspect(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('inspect')
    .description('Show what a path contains and how its format was recognised')
    .argument('<path>', 'File, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder')
    .option('--plain-http', plainHttp)
    .option(
      '--recipe <file>',
      'Show the episodes that this recipe cuts from the first recording (docs/recipes.md)',
    )
    .option('--json', 'Print JSON')
    .action(async (path, args) => {
      const { inspectCommand } = await import('./inspect.ts');
      exit(await inspectCommand(path, args, io, launcher));
    });
}
