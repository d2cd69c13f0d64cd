import { Argument, type Command } from 'commander';
import type { Io } from '../io.ts';
import { bashCompletion } from './bash.ts';
import { type CompletedCommand, commandsOf } from './command-tree.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

const shells: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Declares `assay completion SHELL`, which prints a completion script for all declared commands. */
export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Print a shell completion script for commands and options')
    .addArgument(new Argument('<shell>', 'Shell').choices(Object.keys(shells)))
    .action(async (shell: string) => io.out(shells[shell](commandsOf(program))));
}
