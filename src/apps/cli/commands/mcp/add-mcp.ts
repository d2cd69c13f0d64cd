import { type Command, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption } from '../../work-options.ts';

/** Declares `assay mcp`; its implementation is loaded when it runs. */
export function addMcp(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('mcp')
    .description(
      'Start an MCP server (Model Context Protocol) that lets an AI assistant use a folder or a running service',
    )
    .argument('[path]', 'File or folder that the assistant may read (default: a running service)')
    .option('--out <dir>', 'Folder that the assistant may export episodes to (default: nothing is written)')
    .option(...dataOption)
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .action(async (path, args) => {
      const { mcpCommand } = await import('./mcp.ts');
      exit(await mcpCommand(path, args, io, launcher));
    });
}
