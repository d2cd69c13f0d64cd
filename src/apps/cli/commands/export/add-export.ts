import { type Command, Option } from 'commander';
import { exportFormatIds } from '#core/api/bounds';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, dataOption, rateInHz, withWork } from '../../work-options.ts';

/** Declares `assay export`; its implementation is loaded when it runs. */
export function addExport(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('export')
      .description('write the accepted episodes as a training set; what can be copied is not encoded again')
      .argument(
        '[paths...]',
        'one dataset, in any format that is read; several LeRobot sets of one schema become one; or --project',
      ),
  )
    .option('--out <dir>', 'a new or empty folder')
    .addOption(
      new Option('--format <format>', 'what to write').choices(exportFormatIds).default('lerobot-v3'),
    )
    .option('--rate <hz>', 'rows a second (default: those of the recordings)', rateInHz)
    .option('--accepted', 'keep the accepted episodes (the default)')
    .option('--with-review', 'also keep the episodes that need review')
    .option('--only <episodes...>', 'keep these, by id or number, whatever their decision')
    .option(
      '--plan <file>',
      'keep what a plan of assay curate keeps; with --project the id of one applied there',
    )
    .option('--without <episodes...>', 'leave these out, by id or number')
    .option('--drop <features...>', 'leave features out: columns, or cameras with their videos')
    .option('--convert <conversions...>', 'FEATURE=deg:rad or FEATURE[NAMES]=..: values in another unit')
    .option('--cut <where>', 'holes: cut episodes where recorded stamps leave a hole')
    .option('--shift <shifts...>', 'FEATURE=ROWS: move a feature by rows, earlier with a minus sign')
    .option('--trim <what>', 'idle: without the rest at both ends; or FROM..TO in seconds')
    .option('--video <codec>', 'h264, h265 or av1: encode videos of another codec; the others are copied')
    .option('--size <WxH>', 'scale pictures of video to this size, and encode them')
    .option('--rename <names...>', 'OLD=NEW: give features other names')
    .option('--split <shares...>', 'NAME=SHARE, such as train=0.9 val=0.1: declare splits')
    .option(
      '--map <names...>',
      'SET:FEATURE=NAME: of several sets, what a feature of one is called in the new set',
    )
    .option(
      '--annotations [dir]',
      'take along what assay annotate wrote there: LeRobot, MCAP, WebDataset, COCO; with --project what was annotated there',
    )
    .option('--dry-run', 'print what would be kept and dropped, and why; write nothing')
    .option('--cache <dir>', 'what assess keeps of its measurements (docs/assess-again.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--json', 'print JSON')
    .option('--project <id or name>', 'export at a running service: whose episodes')
    .option('--source <id>', 'with --project: of this source')
    .option('--export <id>', 'with --project: download this export, made before')
    .option(...dataOption)
    .option('--url <address>', 'with --project: a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .action(async (paths: string[], args) => {
      const { requirePathOrProject, exportProjectCommand } = await import('./export-project.ts');
      requirePathOrProject(paths, args);
      if (paths.length === 0) return exit(await exportProjectCommand(args, io, launcher));
      const { exportCommand } = await import('./export.ts');
      return exit(await exportCommand(paths, { ...args, cache: cacheOf(args.cache, launcher) }, io));
    });
}
