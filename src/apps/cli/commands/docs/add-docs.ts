import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';

/** Declares `assay docs`; its implementation is loaded when it runs. */
export function addDocs(program: Command, io: Io, exit: Exit): void {
  program
    .command('docs')
    .description('Open the documentation in a browser; it is stored on this machine and searchable offline')
    .option('--no-open', 'Print the address without opening a browser')
    .action(async (args) => {
      const { docsCommand } = await import('./docs.ts');
      exit(await docsCommand(args, io));
    });
}
