import { type Command, InvalidArgumentError, Option } from 'commander';
import { jobLayerIds } from '#core/api';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption, whole } from '../../work-options.ts';

const jobLayers: readonly string[] = jobLayerIds;

/** Declares `assay annotate`; its implementation is loaded when it runs. */
export function addAnnotate(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('annotate')
    .description('run annotation layers on the episodes of a folder, or of a project at a running service')
    .argument('[path]', 'file or folder; absent: --project')
    .option('--layers <list>', 'what to add, separated by commas', layers)
    .addOption(new Option('--layer <layer>', 'the same for one layer').choices(jobLayers))
    .option('--out <dir>', 'a new or empty folder for the artifacts of a path')
    .option(
      '--overlay <file.mp4 or dir>',
      'also draw what was made of one episode of a path over its pictures: a film, or one PNG a second',
    )
    .option('--camera <id>', 'stream that --overlay draws over (default: the first that a layer mentions)')
    .option('--project <id or name>', 'episodes of a project of a running service, instead of a path')
    .option(
      '--episodes <ids...>',
      'only these (default: all of a path; of a project those without the layer)',
      ids,
    )
    .option('--force', 'also redo episodes of a project that already carry the layer')
    .option(
      '--config <knobs>',
      'knobs, as segments.max_segments=20 or, for one layer, {"max_segments": 20}; may be repeated',
      several,
    )
    .option('--workers <n>', 'number of worker threads for a path (default: by cores)', whole(1))
    .option('--cancel-on-interrupt', 'Ctrl-C cancels the job of a project (default: the job continues)')
    .option(...dataOption)
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--json', 'print JSON: the job of a project, or what was made of a path')
    .action(async (path, args) => {
      const { annotateCommand } = await import('./annotate.ts');
      exit(await annotateCommand(path, args, io, launcher));
    });
}

const several = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** Appends ids separated by commas to those of earlier arguments. */
function ids(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',').filter((id) => id !== '')];
}

function layers(text: string, before: readonly string[] = []): string[] {
  const named = ids(text, before).map((name) => name.trim());
  const unknown = named.find((name) => !jobLayers.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no layer ${unknown}; the layers are ${jobLayers.join(', ')}.`);
  return named;
}
