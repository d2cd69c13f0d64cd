import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf } from '../../work-options.ts';

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
