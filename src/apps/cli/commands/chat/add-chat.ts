import { type Command, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption } from '../../work-options.ts';

/** Declares `assay chat`; its implementation is loaded when it runs. */
export function addChat(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('chat')
    .description('talk with the copilot of a running service, which uses tools and asks before it spends')
    .argument('[message...]', 'one message; absent: lines of standard input, until it ends')
    .option('--project <id or name>', 'what the thread is about (default: all projects)')
    .option('--thread <id>', 'continue this thread')
    .option('--model <model>', 'one that answers at the service (default: its first)')
    .option(...dataOption)
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--json', 'print every event as a line of JSON; nothing is asked, and nothing confirmed')
    .action(async (message, args) => {
      const { chatCommand } = await import('./chat.ts');
      exit(await chatCommand(message, args, io, launcher));
    });
}
