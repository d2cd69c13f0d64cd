import { type Command, Option } from 'commander';
import { targetProfileIds } from '#core/api';
import { pictureScopes } from '#core/episode';
import { outputFormats } from '#quality/report/outputs';
import type { Exit, Io } from '../../io.ts';
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
        'Exit with code 1 if an episode gets this decision or a worse one, or a dataset is not usable as it is',
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

/** Declares `assay inspect`; its implementation is loaded when it runs. */
export function addInspect(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('inspect')
    .description('Show what a path contains and how its format was recognised')
    .argument('<path>', 'File, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder')
    .option('--plain-http', plainHttp)
    .option(
      '--recipe <file>',
      'Show the episodes that this recipe cuts from the first recording (docs/recipes.md)',
    )
    .option('--json', 'Print JSON')
    .action(async (path, args) => {
      const { inspectCommand } = await import('./inspect.ts');
      exit(await inspectCommand(path, args, io, launcher));
    });
}

/** Declares `assay fix`; its implementation is loaded when it runs. */
export function addFix(program: Command, io: Io, exit: Exit): void {
  program
    .command('fix')
    .description('Repair a dataset: list the changes, and write them with --apply')
    .argument('<path>', 'Dataset folder')
    .option('--apply', 'Write the changes; the originals are kept in .assay-fix')
    .option('--undo', 'Revert the last --apply')
    .option('--out <dir>', 'Write a repaired copy to this folder and leave the dataset unchanged')
    .option('--stamps', 'Align timestamps with the declared frame rate')
    .option('--video', 'Repair video files without re-encoding them')
    .option(
      '--pictures',
      'Check the image statistics of the metadata against decoded frames (a sample of every episode)',
    )
    .option('--json', 'Print the plan as JSON')
    .action(async (path, args) => {
      const { fixCommand } = await import('./fix.ts');
      exit(await fixCommand(path, args, io));
    });
}

/** Declares `assay map`; its implementation is loaded when it runs. */
export function addMap(program: Command, io: Io, exit: Exit): void {
  const map = program
    .command('map')
    .description('Describe files in your own layout so that Assay can read them');
  map
    .command('init')
    .description('Propose an assay.map.yaml for the tables, arrays or topics in a folder')
    .argument('<path>', 'Folder with the files')
    .option('--yes', 'Write the proposed mapping without asking')
    .option('--print', 'Print the mapping and write nothing')
    .action(async (path, args) => {
      const { mapInitCommand } = await import('./map-init.ts');
      exit(await mapInitCommand(path, args, io));
    });
  map
    .command('check')
    .description('Read all recordings with a mapping and show what each of its settings found')
    .argument('<path>', 'Folder with the recordings')
    .option('--mapping <file>', "Mapping file; default: the folder's assay.map.yaml, or its built-in mapping")
    .option('--json', 'Print JSON')
    .action(async (path, args) => {
      const { mapCheckCommand } = await import('./map-check.ts');
      exit(await mapCheckCommand(path, args, io));
    });
}

/** Declares `assay certify`; its implementation is loaded when it runs. */
export function addCertify(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('certify')
      .description(
        'Check recordings against a certification policy (thresholds per metric) and write a signed report that anyone can verify',
      )
      .argument('<path>', 'File, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder'),
  )
    .requiredOption(
      '--out <dir>',
      'Write report.json, report.html, policy.json, receipts and bundle.zip to this folder',
    )
    .addOption(
      new Option('--target <id>', 'Use the default policy of this training target').choices(targetProfileIds),
    )
    .option('--policy <file>', 'Use the policy in this JSON file (docs/certification.md)')
    .option(
      '--sign-key <file>',
      'Sign the bundle with the Ed25519 private key in this PEM file (default: your own key)',
    )
    .option('--project <id>', 'Id of the project of a service that will import the report')
    .addOption(
      new Option('--pictures <which>', 'Frames to decode. all: compare every frame (docs/assess-again.md)')
        .choices(pictureScopes)
        .default('sampled'),
    )
    .option('--cache <dir>', 'Folder for cached measurements (docs/assess-again.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--plain-http', plainHttp)
    .option('--json', 'Print the report as JSON')
    .action(async (path, args) => {
      const { certifyCommand } = await import('./certify.ts');
      exit(await certifyCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}

/** Declares `assay verify`; its implementation is loaded when it runs. */
export function addVerify(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('verify')
      .description(
        'Check that receipts, an export or a certification bundle have not changed since Assay wrote them',
      )
      .argument('<file>', 'Receipt, folder of receipts, export folder or bundle'),
  )
    .option('--source <path>', 'Also assess the recordings at this path or address again and compare')
    .option('--plain-http', plainHttp)
    .option('--key <file|keyid>', 'Key that a bundle must be signed with: a PEM file or a key id')
    .option('--project <id>', 'Id of the project that a bundle must belong to')
    .option('--json', 'Print the result as JSON')
    .action(async (path, args) => {
      const { verifyCommand } = await import('./verify.ts');
      exit(await verifyCommand(path, args, io, launcher));
    });
}
