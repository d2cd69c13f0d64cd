import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';

/** Declares `assay docs`; its implementation is loaded when it runs. */
export function addDocs(program: Command, io: Io, exit: Exit): void {
  program
    .command('docs')
    .description(
      'open the documentation in a browser; it lies on this machine and is searched without a network',
    )
    .option('--no-open', 'print the address only')
    .action(async (args) => {
      const { docsCommand } = await import('./docs.ts');
      exit(await docsCommand(args, io));
    });
}
