import { type Command, Option } from 'commander';
import { pictureScopes } from '#core/episode';
import { outputFormats } from '#quality/report/outputs';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, plainHttp, rateInHz, withWork } from '../../work-options.ts';

/** Declares `assay assess`; its implementation is loaded when it runs. */
export function addAssess(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('assess')
      .description('judge every episode of a recording, a dataset or a folder of them')
      .argument('<path>', 'file, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder'),
  )
    .option('--out <dir>', 'write receipts, assessment.json and an HTML report there')
    .addOption(
      new Option('--fail-on <decision>', 'exit 1 if an episode gets this decision or a worse one').choices([
        'review',
        'reject',
      ]),
    )
    .option(
      '--recipe <file>',
      'cut recordings into episodes as this YAML or JSON file says (docs/recipes.md)',
    )
    .addOption(
      new Option(
        '--rate-hz <rate>',
        'rate of recordings whose format keeps no times (HDF5, RLDS, zarr)',
      ).argParser(rateInHz),
    )
    .addOption(
      new Option(
        '--pictures <which>',
        'none: only what containers say, a quick look; all: compare every frame (docs/assess-again.md)',
      )
        .choices(pictureScopes)
        .default('sampled'),
    )
    .option('--cache <dir>', 'keep what is measured there, for the next time (docs/assess-again.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--video', 'put films of the cameras beside the report of --out')
    .option('--annotations <dir>', 'show in the report what assay annotate wrote there; needs --out')
    .option('--no-thumbnails', 'keep pictures out of the report')
    .option('--all', 'list every episode')
    .option('--plain-http', plainHttp)
    .addOption(
      new Option('--format <format>', 'what is printed').choices([
        'table',
        ...outputFormats.map(({ id }) => id),
      ]),
    )
    .option('--json', 'short for --format json: { dataset, receipts }')
    .action(async (path, args) => {
      const { assessCommand } = await import('./assess.ts');
      exit(await assessCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
