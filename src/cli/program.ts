import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { exportFormatIds } from '#bounds';
import { pictureScopes } from '#episode';
import { outputFormats } from '#outputs';
import { withPlan } from './curate-options.ts';
import { addExamples } from './examples.ts';
import type { Io } from './io.ts';
import type { Launcher } from './launcher.ts';
import { reportError } from './report-error.ts';
import { withFilters, withRanking } from './search-options.ts';
import { version } from './version.ts';
import { dataOption, rateInHz, whole, withWork } from './work-options.ts';

/** Runs the command line; gives the exit code. */
export async function runCli(argv: readonly string[], io: Io, launcher: Launcher): Promise<number> {
  let code = 0;
  const setExit = (exit: number) => {
    code = exit;
  };
  const program = createProgram(io, setExit, launcher);
  // The service's commands load its schemas; who works without a service does not wait for them.
  if (!ofWork.has(argv[0])) await addOthers(program, io, setExit, launcher);
  addExamples(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    return reportError(thrown, io, wantsJson(argv));
  }
}

/** Programs that read JSON get refusals so, too. */
function wantsJson(argv: readonly string[]): boolean {
  const format = argv.indexOf('--format');
  return (
    argv.includes('--json') || argv.includes('--format=json') || (format >= 0 && argv[format + 1] === 'json')
  );
}

const plainHttp = 'read http:// beyond this machine as well, unencrypted (docs/sources.md)';

/** Every command as it is declared; none can be run. */
export async function createWholeProgram(): Promise<Command> {
  const silent = { out: async () => {}, note: () => {} } as unknown as Io;
  const program = createProgram(silent, () => {}, {} as Launcher);
  await addOthers(program, silent, () => {}, {} as Launcher);
  return program;
}

type Exit = (code: number) => void;

const ofWork: ReadonlySet<string | undefined> = new Set([
  'assess',
  'export',
  'search',
  'slice',
  'curate',
  'verify',
  'inspect',
  'map',
  'demo',
  'cache',
  'fix',
]);

async function addOthers(program: Command, io: Io, exit: Exit, launcher: Launcher): Promise<void> {
  const { addServiceCommands } = await import('./service-commands.ts');
  const { addAdminCommands } = await import('./admin-commands.ts');
  const { addModelCommands } = await import('./models-commands.ts');
  const { addCompletion } = await import('./completion/add-completion.ts');
  addServiceCommands(program, io, exit, launcher);
  addAdminCommands(program, io, exit, launcher);
  addModelCommands(program, io, exit, launcher);
  addCompletion(program, io);
}

function createProgram(io: Io, exit: Exit, launcher: Launcher): Command {
  const program = new Command('assay')
    .description('Says with evidence whether robot recordings are fit to train on.')
    .version(version)
    .showHelpAfterError('(assay --help tells more)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.out(text), writeErr: (text) => io.note(text) });
  addAssess(program, io, exit, launcher);
  addCache(program, io, exit, launcher);
  addVerify(program, io, exit, launcher);
  addInspect(program, io, exit, launcher);
  addExport(program, io, exit, launcher);
  addSearch(program, io, exit, launcher);
  addSlice(program, io, exit, launcher);
  addCurate(program, io, exit, launcher);
  addMap(program, io, exit);
  addFix(program, io, exit);
  addDemo(program, io, exit, launcher);
  program.addHelpText(
    'after',
    '\nExit codes: 0 fine, 1 findings (--fail-on, verify, fix), 2 usage, 3 unreadable input, 4 internal or stopped',
  );
  return program;
}

function addAssess(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('assess')
      .description('judge every episode of a recording, a dataset or a folder of them')
      .argument('<path>', 'file, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder'),
  )
    .option('--out <dir>', 'write receipts, assessment.json and an HTML report there')
    .addOption(
      new Option('--fail-on <decision>', 'exit 1 when an episode is judged so or worse').choices([
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
    .option('--no-cache', 'measure everything anew and keep nothing')
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
      const { assessCommand } = await import('./commands/assess.ts');
      exit(await assessCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** The folder that is named, or else the usual one; null for none. */
function cacheOf(named: string | boolean | undefined, launcher: Launcher): string | null {
  if (named === false) return null;
  return typeof named === 'string' ? resolve(named) : launcher.cacheFolder();
}

function addCache(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const cache = program.command('cache').description('what assess keeps of its measurements');
  for (const [name, about] of Object.entries({ size: 'say how much is kept', clear: 'forget it all' })) {
    cache
      .command(name)
      .description(about)
      .option('--cache <dir>', 'the folder, where it is not the usual one')
      .option('--json', 'print JSON')
      .action(async (args) => {
        const { cacheCommand } = await import('./commands/cache.ts');
        exit(
          await cacheCommand(name as 'size' | 'clear', { ...args, cache: cacheOf(args.cache, launcher) }, io),
        );
      });
  }
}

function addExport(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('export')
      .description('write the accepted episodes as a training set; what can be copied is not encoded again')
      .argument('[path]', 'one dataset, in any format that is read; or --project'),
  )
    .option('--out <dir>', 'a new or empty folder')
    .addOption(
      new Option('--format <format>', 'what to write').choices(exportFormatIds).default('lerobot-v3'),
    )
    .option('--rate <hz>', 'rows a second (default: those of the recordings)', rateInHz)
    .option('--accepted', 'keep the accepted episodes (the default)')
    .option('--with-review', 'also keep the episodes that need review')
    .option('--only <episodes...>', 'keep these, by id or number, whatever their decision')
    .option('--plan <file>', 'keep what a plan of assay curate keeps')
    .option('--without <episodes...>', 'leave these out, by id or number')
    .option('--drop <features...>', 'leave features out: columns, or cameras with their videos')
    .option('--convert <conversions...>', 'FEATURE=deg:rad or FEATURE[NAMES]=..: values in another unit')
    .option('--cut <where>', 'holes: cut episodes where recorded stamps leave a hole')
    .option('--shift <shifts...>', 'FEATURE=ROWS: move a feature by rows, earlier with a minus sign')
    .option('--trim <what>', 'idle: without the rest at both ends; or FROM..TO in seconds')
    .option('--rename <names...>', 'OLD=NEW: give features other names')
    .option('--split <shares...>', 'NAME=SHARE, such as train=0.9 val=0.1: declare splits')
    .option('--dry-run', 'print what would be kept and dropped, and why; write nothing')
    .option('--cache <dir>', 'what assess keeps of its measurements (docs/assess-again.md)')
    .option('--no-cache', 'measure everything anew and keep nothing')
    .option('--json', 'print JSON')
    .option('--project <id or name>', 'export at a running service: whose episodes')
    .option('--source <id>', 'with --project: of this source')
    .option('--export <id>', 'with --project: bring this export, made before')
    .option(...dataOption)
    .option('--url <address>', 'with --project: a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .action(async (path, args) => {
      const { demandOneWay, exportProjectCommand } = await import('./commands/export-project.ts');
      demandOneWay(path, args);
      if (path === undefined) return exit(await exportProjectCommand(args, io, launcher));
      const { exportCommand } = await import('./commands/export.ts');
      return exit(await exportCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io));
    });
}

function addSearch(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const search = program
    .command('search')
    .description('find episodes by what is known of them, and by likeness to one of them')
    .argument('[path]', 'file or folder; without one, --project at a service');
  withFinding(search)
    .option('--most <n>', 'how many answers', whole(1), 20)
    .action(async (path, args) => {
      const { searchCommand } = await import('./commands/search.ts');
      exit(await searchCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function addSlice(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const slice = program
    .command('slice')
    .description('keep what a search finds now, with its query, coverage and hashes')
    .argument('[path]', 'file or folder; without one, --project at a service');
  withFinding(slice)
    .option('--name <name>', 'of the slice')
    .option('--out <file>', 'a new JSON file for the slice of a folder')
    .option('--most <n>', 'how many members at most, the best of a ranking', whole(1), 100_000)
    .option('--dry-run', 'print what it would hold; write nothing')
    .action(async (path, args) => {
      const { sliceCommand } = await import('./commands/slice.ts');
      exit(await sliceCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Options of commands that find episodes, under a path or at a service. */
function withFinding(command: Command): Command {
  return withRanking(withFilters(withWork(command)))
    .option('--cache <dir>', 'where the index is kept (docs/search.md)')
    .option('--no-cache', 'measure everything anew and keep nothing')
    .option('--project <id or name>', 'search this project at a running service')
    .option('--data <dir>', 'its data folder (default: ASSAY_DATA_DIR, or assay-data)')
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--json', 'print JSON');
}

function addCurate(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const curate = program
    .command('curate')
    .description('choose episodes to train on: which stay, which go, and why')
    .argument('[path]', 'file or folder');
  withWork(withPlan(curate))
    .option('--out <file>', 'write the plan, for assay export --plan')
    .option('--dry-run', 'print what would be kept and dropped, and why; write and store nothing')
    .option('--list-strategies', 'print the strategies with their parameters')
    .option('--project <id or name>', 'a project of a running service, instead of a path')
    .option('--data <dir>', 'data folder of that service')
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--cache <dir>', 'where the index is kept (docs/search.md)')
    .option('--no-cache', 'measure everything anew and keep nothing')
    .option('--json', 'print JSON')
    .action(async (path, args) => {
      const { curateCommand } = await import('./commands/curate.ts');
      exit(await curateCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

function addVerify(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('verify')
      .description('check that receipts, or an export, are unchanged since they were sealed')
      .argument('<file>', 'a receipt, a folder of receipts, or an export'),
  )
    .option('--source <path>', 'assess the recording, at a path or an address, again and compare')
    .option('--plain-http', plainHttp)
    .option('--json', 'print the outcome as JSON')
    .action(async (path, args) => {
      const { verifyCommand } = await import('./commands/verify.ts');
      exit(await verifyCommand(path, args, io, launcher));
    });
}

function addInspect(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('inspect')
    .description('say what a path holds and how it was recognised')
    .argument('<path>', 'file, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder')
    .option('--plain-http', plainHttp)
    .option('--recipe <file>', 'show what it would make of the first recording (docs/recipes.md)')
    .option('--json', 'print JSON')
    .action(async (path, args) => {
      const { inspectCommand } = await import('./commands/inspect.ts');
      exit(await inspectCommand(path, args, io, launcher));
    });
}

function addFix(program: Command, io: Io, exit: Exit): void {
  program
    .command('fix')
    .description('mend what is wrong with a dataset; says what it would change, and writes with --apply')
    .argument('<path>', 'folder of the dataset')
    .option('--apply', 'write the changes; the originals are kept in .assay-fix')
    .option('--undo', 'put back what the last --apply changed')
    .option('--out <dir>', 'write a mended copy there and leave the dataset as it is')
    .option('--stamps', 'put time stamps onto the grid of the declared rate')
    .option('--video', 'mend video files, without encoding them again')
    .option('--json', 'print the plan as JSON')
    .action(async (path, args) => {
      const { fixCommand } = await import('./commands/fix.ts');
      exit(await fixCommand(path, args, io));
    });
}

function addMap(program: Command, io: Io, exit: Exit): void {
  program
    .command('map')
    .description('describe your own CSV or Parquet, so that it can be read')
    .command('init')
    .description('propose assay.map.yaml from what the CSV or Parquet files of a folder show')
    .argument('<path>', 'folder of the tables')
    .option('--print', 'print the map and write nothing')
    .action(async (path, args) => {
      const { mapInitCommand } = await import('./commands/map-init.ts');
      exit(await mapInitCommand(path, args, io));
    });
}

function addDemo(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('demo')
    .description('make sample recordings, some spoiled on purpose, and assess them')
    .option('--out <dir>', 'where samples and report go', 'assay-report/demo')
    .option('--json', 'print JSON')
    .action(async (args) => {
      const { demoCommand } = await import('./commands/demo.ts');
      exit(await demoCommand(args, io, launcher));
    });
}
