import { type Command, InvalidArgumentError, Option } from 'commander';
import { exportFormatIds } from '#core/api/bounds';
import type { Exit, Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, dataOption, rateInHz, whole, withWork } from '../../work-options.ts';
import { withPlan } from './curate-options.ts';
import { withFilters, withRanking } from './search-options.ts';

/** Declares `assay search`; its implementation is loaded when it runs. */
export function addSearch(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const search = program
    .command('search')
    .description('Find episodes by filters, or by similarity to an episode')
    .argument('[path]', 'File or folder; omit it with --project');
  withSearchOptions(search)
    .option('--most <n>', 'Maximum number of results', whole(1), 20)
    .action(async (path, args) => {
      const { searchCommand } = await import('./search.ts');
      exit(await searchCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Declares `assay slice`; its implementation is loaded when it runs. */
export function addSlice(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const slice = program
    .command('slice')
    .description('Save the results of a search as a fixed list of episodes (a slice)')
    .argument('[path]', 'File or folder; omit it with --project');
  withSearchOptions(slice)
    .option('--name <name>', 'Name of the slice')
    .option('--out <file>', 'New JSON file for the slice of a folder')
    .option('--most <n>', 'Maximum number of episodes; keeps the best-ranked ones', whole(1), 100_000)
    .option('--dry-run', 'Show what the slice would contain; write nothing')
    .action(async (path, args) => {
      const { sliceCommand } = await import('./slice.ts');
      exit(await sliceCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Adds the options of commands that find episodes in a folder or at a service. */
function withSearchOptions(command: Command): Command {
  return withIndex(withRanking(withFilters(withWork(command))));
}

/**
 * Adds the options of commands that use the episode index of a path, or a project of a service. `project` describes
 * `--project`.
 */
function withIndex(command: Command, project = 'Project of a running service, instead of a path'): Command {
  return command
    .option('--cache <dir>', 'Folder for the cached episode index (docs/search.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--project <id or name>', project)
    .option('--data <dir>', 'Data folder of that service (default: ASSAY_DATA_DIR, or assay-data)')
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print JSON');
}

/** Declares `assay curate`; its implementation is loaded when it runs. */
export function addCurate(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const curate = program
    .command('curate')
    .description('Choose the episodes to train on, with a reason for each one that is dropped')
    .argument('[path]', 'File or folder; omit it with --project');
  withIndex(withWork(withPlan(curate)))
    .option('--out <file>', 'Write the plan to this file, for `assay export --plan`')
    .option('--dry-run', 'Show what would be kept and dropped, and why; write and store nothing')
    .option('--list-strategies', 'List the strategies and their parameters')
    .action(async (path, args) => {
      const { curateCommand } = await import('./curate.ts');
      exit(await curateCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Declares `assay loop`; its implementation is loaded when it runs. */
export function addLoop(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const loop = program
    .command('loop')
    .description(
      'Compare the failures of a policy with its training episodes, and plan more weight for the nearest ones',
    )
    .argument('[path]', 'Training data, a file or folder; omit it with --project')
    .requiredOption(
      '--failures <path>',
      'Failures: JSON, CSV, eval_info.json of lerobot-eval, or recordings (docs/failures.md)',
    );
  withIndex(withWork(withPlan(loop)))
    .option('--task <text>', 'Task to assume for failures without a task')
    .option('--neighbours <n>', 'Number of nearest episodes per failure, 1 to 20', parseNeighbours, 5)
    .option(
      '--novel-from <share>',
      'Novelty, 0 to 1, from which a failure counts as outside the training data',
      parseShare,
      0.95,
    )
    .option('--factor <n>', 'Sampling weight of the nearest episodes, 1.01 to 100', parseFactor, 2)
    .option('--out <file>', 'Write the plan to this file, for `assay export --plan`')
    .option('--dry-run', 'Show what would be written; with --project, import nothing')
    .addOption(
      new Option(
        '--format <format>',
        'With --project: format of the export that the service prepares',
      ).choices(exportFormatIds),
    )
    .action(async (path, args) => {
      const { loopCommand } = await import('./loop.ts');
      exit(await loopCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function parseNeighbours(text: string): number {
  const number = whole(1)(text);
  if (number > 20) throw new InvalidArgumentError('Must be at most 20.');
  return number;
}

function parseShare(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('Must be between 0 and 1.');
  return value;
}

function parseFactor(text: string): number {
  const value = Number(text);
  if (!(value >= 1.01 && value <= 100)) throw new InvalidArgumentError('Must be between 1.01 and 100.');
  return value;
}

/** Declares `assay probe`; its implementation is loaded when it runs. */
export function addProbe(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const probe = program
    .command('probe')
    .description('Train small policies on all, accepted and curated episodes, and compare them')
    .argument('[path]', 'File or folder; omit it with --project');
  withIndex(
    withWork(probe),
    'Project of a running service, instead of a path; --plan is then the id of an applied plan',
  )
    .option(
      '--plan <file>',
      'Plan of `assay curate` that selects the curated episodes (default: the recommended plan)',
    )
    .option('--seed <n>', 'Random seed; the same seed gives the same folds and intervals', whole(0), 0)
    .option(
      '--folds <n>',
      'Number of folds for cross-validation on the accepted episodes, 2 to 10',
      parseFolds,
      5,
    )
    .option(
      '--window <rows>',
      'Number of state rows that the policies see, 1 to 4: the current row and sampled earlier rows',
      parseWindow,
      1,
    )
    .action(async (path, args) => {
      const { probeCommand } = await import('./probe.ts');
      exit(await probeCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function parseFolds(text: string): number {
  const folds = whole(2)(text);
  if (folds > 10) throw new InvalidArgumentError('Must be at most 10.');
  return folds;
}

function parseWindow(text: string): number {
  const rows = whole(1)(text);
  if (rows > 4) throw new InvalidArgumentError('Must be at most 4.');
  return rows;
}

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
        'Output format (default: lerobot-v3; with --project, the format of its training target)',
      ).choices(exportFormatIds),
    )
    .option('--rate <hz>', 'Rows per second, in Hz (default: rate of the recordings)', rateInHz)
    .option('--accepted', 'Keep the accepted episodes (the default)')
    .option('--with-review', 'Also keep episodes that need review')
    .option('--only <episodes...>', 'Keep only these episodes, by id or number, whatever their decision')
    .option(
      '--plan <file>',
      'Keep only the episodes that this plan keeps: a file of `assay curate`, or with --project the id of an applied plan',
    )
    .option('--without <episodes...>', 'Leave out these episodes, by id or number')
    .option('--drop <features...>', 'Leave out these features: columns, or cameras with their videos')
    .option('--convert <conversions...>', 'Convert units: FEATURE=deg:rad, or FEATURE[NAME,..]=deg:rad')
    .option('--cut <where>', 'holes: split episodes at gaps between recorded timestamps')
    .option('--shift <shifts...>', 'FEATURE=ROWS: shift a feature by rows; negative numbers shift it earlier')
    .option('--trim <what>', 'idle: remove idle time at both ends; FROM..TO: keep this range, in seconds')
    .option(
      '--video <codec>',
      'h264, h265 or av1: re-encode videos that use another codec, and copy the rest',
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
    .option('--source <id>', 'With --project: only episodes from this source')
    .option('--export <id>', 'With --project: download this existing export')
    .option(...dataOption)
    .option('--url <address>', 'With --project: base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
    .action(async (paths: string[], args) => {
      const { requirePathOrProject, exportProjectCommand } = await import('./export-project.ts');
      requirePathOrProject(paths, args);
      if (paths.length === 0) return exit(await exportProjectCommand(args, io, launcher));
      const { exportCommand } = await import('./export.ts');
      return exit(await exportCommand(paths, { ...args, cache: cacheOf(args.cache, launcher) }, io));
    });
}
