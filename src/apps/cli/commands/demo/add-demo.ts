import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';

/** Declares `assay demo`; its implementation is loaded when it runs. */
export function addDemo(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('demo')
    .description('make sample recordings, some spoiled on purpose, and assess them')
    .option('--out <dir>', 'where samples and report go', 'assay-report/demo')
    .option('--json', 'print JSON')
    .action(async (args) => {
      const { demoCommand } = await import('./demo.ts');
      exit(await demoCommand(args, io, launcher));
    });
}
