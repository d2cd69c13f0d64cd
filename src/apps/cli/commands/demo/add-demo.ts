import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';

/** Declares `assay demo`; its implementation is loaded when it runs. */
export function addDemo(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('demo')
    .description('Create sample recordings, some corrupted on purpose, and assess them')
    .option('--out <dir>', 'Folder for the samples and the report', 'assay-report/demo')
    .option('--json', 'Print JSON')
    .action(async (args) => {
      const { demoCommand } = await import('./demo.ts');
      exit(await demoCommand(args, io, launcher));
    });
}
