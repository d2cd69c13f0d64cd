import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { plainHttp } from '../../work-options.ts';

/** Declares `assay inspect`; its implementation is loaded when it runs. */
export function addInspect(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('inspect')
    .description('say what a path holds and how it was recognised')
    .argument('<path>', 'file, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder')
    .option('--plain-http', plainHttp)
    .option('--recipe <file>', 'show what it would make of the first recording (docs/recipes.md)')
    .option('--json', 'print JSON')
    .action(async (path, args) => {
      const { inspectCommand } = await import('./inspect.ts');
      exit(await inspectCommand(path, args, io, launcher));
    });
}
