import { type Command, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption } from '../../work-options.ts';

/** Declares `assay chat`; its implementation is loaded when it runs. */
export function addChat(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('chat')
    .description('Chat with the copilot of a running service; it asks before it spends or deletes anything')
    .argument('[message...]', 'A single message (default: interactive chat on standard input)')
    .option('--project <id or name>', 'Project to chat about (default: all projects)')
    .option('--thread <id>', 'Id of the chat to continue')
    .option('--model <model>', 'Model to use (default: the first model of the service)')
    .option(...dataOption)
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print every event as one line of JSON; actions that need approval are not run')
    .action(async (message, args) => {
      const { chatCommand } = await import('./chat.ts');
      exit(await chatCommand(message, args, io, launcher));
    });
}
