import { type Command, Option } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, dataOption, withWork } from '../../work-options.ts';

/** Declares `assay ask`; its implementation is loaded when it runs. */
export function addAsk(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const ask = program
    .command('ask')
    .description(
      'Answer a question without a model: what blocks readiness, what changed, what it cost, what is missing, where to look first',
    )
    .argument('<words...>', 'File or folder, then the question; with --project only the question');
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
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print JSON: sentences, each with its evidence (numbers and ids)')
    .action(async (words, args) => {
      const { askCommand } = await import('./ask.ts');
      exit(await askCommand(words, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
