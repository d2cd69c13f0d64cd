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
      .description(
        'Export the accepted episodes as a training set; video is copied, not re-encoded, where possible',
      )
      .argument(
        '[paths...]',
        'One dataset in any supported format, or several LeRobot datasets with the same schema to merge; omit it with --project',
      ),
  )
    .option('--out <dir>', 'New or empty output folder')
    .addOption(
      new Option(
        '--format <format>',
        'Output format (default: lerobot-v3; with --project, that of its target profile)',
      ).choices(exportFormatIds),
    )
    .option('--rate <hz>', 'Rows per second, in Hz (default: rate of the recordings)', rateInHz)
    .option('--accepted', 'Keep the accepted episodes (the default)')
    .option('--with-review', 'Also keep episodes that need review')
    .option('--only <episodes...>', 'Keep only these episodes, by id or number, whatever their decision')
    .option(
      '--plan <file>',
      'Keep the episodes of a plan file of `assay curate`; with --project, the id of an applied plan',
    )
    .option('--without <episodes...>', 'Leave out these episodes, by id or number')
    .option('--drop <features...>', 'Leave out these features: columns, or cameras with their videos')
    .option('--convert <conversions...>', 'FEATURE=deg:rad or FEATURE[NAMES]=deg:rad: convert units')
    .option('--cut <where>', 'holes: split episodes at gaps between recorded timestamps')
    .option('--shift <shifts...>', 'FEATURE=ROWS: shift a feature by rows; negative numbers shift it earlier')
    .option('--trim <what>', 'idle: remove idle time at both ends; FROM..TO: keep this range, in seconds')
    .option(
      '--video <codec>',
      'h264, h265 or av1: re-encode videos that use another codec; the others are copied',
    )
    .option('--size <WxH>', 'Scale videos to this size and re-encode them')
    .option('--rename <names...>', 'OLD=NEW: rename features')
    .option('--split <shares...>', 'NAME=SHARE, such as train=0.9 val=0.1: define splits')
    .option('--map <names...>', 'SET:FEATURE=NAME: when merging datasets, rename a feature of one of them')
    .option(
      '--annotations [dir]',
      'Include the annotations that `assay annotate` wrote to this folder (LeRobot, MCAP, WebDataset, COCO); with --project, those of the project',
    )
    .option('--dry-run', 'Show what would be kept and dropped, and why; write nothing')
    .option('--cache <dir>', 'Folder for cached measurements (docs/assess-again.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--json', 'Print JSON')
    .option('--project <id or name>', 'Project of a running service, instead of a path')
    .option('--source <id>', 'With --project: only episodes of this source')
    .option('--export <id>', 'With --project: download this existing export')
    .option(...dataOption)
    .option('--url <address>', 'With --project: base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .action(async (paths: string[], args) => {
      const { requirePathOrProject, exportProjectCommand } = await import('./export-project.ts');
      requirePathOrProject(paths, args);
      if (paths.length === 0) return exit(await exportProjectCommand(args, io, launcher));
      const { exportCommand } = await import('./export.ts');
      return exit(await exportCommand(paths, { ...args, cache: cacheOf(args.cache, launcher) }, io));
    });
}
