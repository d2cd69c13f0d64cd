import { type Command, InvalidArgumentError, Option } from 'commander';
import { jobLayerIds } from '#core/api';
import type { Exit, Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption, whole } from '../../work-options.ts';

const jobLayers: readonly string[] = jobLayerIds;

/** Declares `assay annotate`; its implementation is loaded when it runs. */
export function addAnnotate(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('annotate')
    .description('Annotate the episodes of a folder, or of a project at a running service')
    .argument('[path]', 'File or folder; omit it with --project')
    .option('--layers <list>', 'Comma-separated layers to run', parseLayers)
    .addOption(new Option('--layer <layer>', 'Layer to run').choices(jobLayers))
    .option('--out <dir>', 'New or empty folder for the annotations of a path')
    .option(
      '--overlay <file.mp4 or dir>',
      'Also draw the annotations of one episode of a path on its video: an MP4, or a folder with one PNG per second',
    )
    .option(
      '--camera <id>',
      'Camera whose video --overlay draws on (default: the first camera with annotations)',
    )
    .option('--project <id or name>', 'Project of a running service, instead of a path')
    .option(
      '--episodes <ids...>',
      'Only these episodes, separated by commas (default: all of a path, or those of a project that do not have the layer yet)',
      parseIds,
    )
    .option('--force', 'Annotate episodes of a project again that already have the layer')
    .option(
      '--config <settings>',
      'Layer settings, such as segments.max_segments=20 or, with one layer, {"max_segments": 20}. Repeatable',
      collectConfig,
    )
    .option(
      '--workers <n>',
      'Number of worker threads, for PATH only (default: depends on the number of cores)',
      whole(1),
    )
    .option('--cancel-on-interrupt', 'Cancel the job of a project on Ctrl-C (default: the job keeps running)')
    .option(...dataOption)
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print JSON: the list of annotations of a path, or the job with --project')
    .action(async (path, args) => {
      const { annotateCommand } = await import('./annotate.ts');
      exit(await annotateCommand(path, args, io, launcher));
    });
}

const collectConfig = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** Appends ids separated by commas to those of earlier arguments. */
function parseIds(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',').filter((id) => id !== '')];
}

function parseLayers(text: string, before: readonly string[] = []): string[] {
  const named = parseIds(text, before).map((name) => name.trim());
  const unknown = named.find((name) => !jobLayers.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`Unknown layer ${unknown}; choose from ${jobLayers.join(', ')}.`);
  return named;
}

/** Declares `assay models list`, `pull` and `verify`; none needs a running service. */
export function addModelCommands(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const models = program
    .command('models')
    .description('Manage the models of annotation layers and their weights');
  const described = (name: string, description: string) =>
    models
      .command(name)
      .description(description)
      .option(...dataOption)
      .option('--json', 'Print JSON');
  described('list', 'List all models, which ones are selected, and whether their weights are installed')
    .option('--tenant <name>', 'Tenant whose selection is shown', 'default')
    .action(async (args) => {
      const { listModelsCommand } = await import('./models-list.ts');
      exit(await listModelsCommand(args, io, launcher));
    });
  withPins(
    described('pull', 'Download the weights of a model, or check weights that you copied to its folder'),
  )
    .argument('<model>', 'Model id, as listed by `assay models list`')
    .option(
      '--accept-hash <sha256>',
      'Accept a file without a pinned hash if it has this SHA-256. Repeatable',
      parseHashes,
    )
    .action(async (model, args) => {
      const { pullModelCommand } = await import('./model-weights.ts');
      exit(await pullModelCommand(model, args, io, launcher));
    });
  withPins(described('verify', 'Check that weights match their pinned hashes and that the models run'))
    .argument('[model]', 'Model id (default: all installed models)')
    .action(async (model, args) => {
      const { verifyModelsCommand } = await import('./model-weights.ts');
      exit(await verifyModelsCommand(model, args, io, launcher));
    });
}

const withPins = (command: Command): Command =>
  command.option('--pins <file>', 'JSON file with the expected hashes, called pins (docs/models.md)');

function parseHashes(text: string, before: readonly string[] = []): readonly string[] {
  const hash = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new InvalidArgumentError('Must be 64 hexadecimal digits.');
  return [...before, hash];
}
