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
      .description('Assess every episode of a recording, a dataset or a folder of datasets')
      .argument('<path>', 'File, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder'),
  )
    .option('--out <dir>', 'Write receipts, assessment.json and an HTML report to this folder')
    .addOption(
      new Option(
        '--fail-on <decision>',
        'Exit with 1 if an episode gets this decision or a worse one, or a dataset is not usable as it is',
      ).choices(['review', 'reject']),
    )
    .option('--recipe <file>', 'Cut recordings into episodes with this YAML or JSON recipe (docs/recipes.md)')
    .addOption(
      new Option(
        '--rate-hz <rate>',
        'Sampling rate of recordings without timestamps (HDF5, RLDS, zarr)',
      ).argParser(rateInHz),
    )
    .addOption(
      new Option(
        '--pictures <which>',
        'Frames to decode. none: only read container metadata (fast); all: compare every frame (docs/assess-again.md)',
      )
        .choices(pictureScopes)
        .default('sampled'),
    )
    .option('--cache <dir>', 'Folder for cached measurements (docs/assess-again.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--video', 'Add camera videos to the report (needs --out)')
    .option(
      '--annotations <dir>',
      'Show the annotations that `assay annotate` wrote to this folder in the report (needs --out)',
    )
    .option('--no-thumbnails', 'Leave thumbnails out of the report')
    .option('--all', 'List every episode in the table')
    .option('--plain-http', plainHttp)
    .addOption(
      new Option('--format <format>', 'Output format').choices([
        'table',
        ...outputFormats.map(({ id }) => id),
      ]),
    )
    .option('--json', 'Same as --format json: { dataset, receipts }')
    .action(async (path, args) => {
      const { assessCommand } = await import('./assess.ts');
      exit(await assessCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
