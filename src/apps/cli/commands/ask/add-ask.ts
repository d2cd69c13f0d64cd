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
      'answer, without a model, what blocks readiness, what changed, what it cost, what is missing and what to look at',
    )
    .argument('<words...>', 'a file or folder, then the question; with --project the question alone');
  withWork(ask)
    .option('--since <dir>', 'what `assay assess PATH --out DIR` wrote before, to say what changed')
    .option('--cache <dir>', 'where measurements are kept (docs/assess-again.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--project <id or name>', 'ask about this project at a running service')
    .option(...dataOption)
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--json', 'print JSON: sentences, each with the numbers and ids it rests on')
    .action(async (words, args) => {
      const { askCommand } = await import('./ask.ts');
      exit(await askCommand(words, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
