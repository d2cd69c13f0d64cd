import { type Command, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption } from '../../work-options.ts';

/** Declares `assay mcp`; its implementation is loaded when it runs. */
export function addMcp(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('mcp')
    .description('let an assistant use a folder, or a running service, over the Model Context Protocol')
    .argument('[path]', 'file or folder that it may look at; absent: a running service')
    .option(
      '--out <dir>',
      'folder below which it may export episodes of the path; absent: nothing is written',
    )
    .option(...dataOption)
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .action(async (path, args) => {
      const { mcpCommand } = await import('./mcp.ts');
      exit(await mcpCommand(path, args, io, launcher));
    });
}
