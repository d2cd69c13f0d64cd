import { type Command, Option } from 'commander';
import type { Exit, Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, dataOption, withWork } from '../../work-options.ts';

/** Declares `assay ask`; its implementation is loaded when it runs. */
export function addAsk(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const ask = program
    .command('ask')
    .description(
      'Answer a question about recordings without a language model: what blocks readiness, what changed, what it cost, what is missing, which episodes to look at first',
    )
    .argument('<words...>', 'File or folder, then the question; with --project, only the question');
  withWork(ask)
    .option(
      '--since <dir>',
      'Output folder of an earlier `assay assess PATH --out DIR`, to report what changed since',
    )
    .option('--cache <dir>', 'Folder for cached measurements (docs/assess-again.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--project <id or name>', 'Project of a running service, instead of a path')
    .option(...dataOption)
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print JSON: sentences, each with its evidence (numbers and ids)')
    .action(async (words, args) => {
      const { askCommand } = await import('./ask.ts');
      exit(await askCommand(words, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

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
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
    .action(async (path, args) => {
      const { mcpCommand } = await import('./mcp.ts');
      exit(await mcpCommand(path, args, io, launcher));
    });
}

/** Declares `assay cache`; its implementation is loaded when it runs. */
export function addCache(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const cache = program.command('cache').description('Manage the measurement cache');
  for (const [name, about] of Object.entries({
    size: 'Show the size of the cache',
    clear: 'Delete all cached measurements',
  })) {
    cache
      .command(name)
      .description(about)
      .option('--cache <dir>', 'Cache folder, if it is not the default one')
      .option('--json', 'Print JSON')
      .action(async (args) => {
        const { cacheCommand } = await import('./cache.ts');
        exit(
          await cacheCommand(name as 'size' | 'clear', { ...args, cache: cacheOf(args.cache, launcher) }, io),
        );
      });
  }
}

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
