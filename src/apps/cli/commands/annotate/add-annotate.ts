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
    .description('Annotate the episodes of a folder, or of a project at a running service')
    .argument('[path]', 'File or folder; omit it with --project')
    .option('--layers <list>', 'Comma-separated layers to run', layers)
    .addOption(new Option('--layer <layer>', 'Layer to run').choices(jobLayers))
    .option('--out <dir>', 'New or empty folder for the annotations of a path')
    .option(
      '--overlay <file.mp4 or dir>',
      'Also draw the annotations of one episode of a path on its video: an MP4, or a folder with one PNG per second',
    )
    .option(
      '--camera <id>',
      'Camera that --overlay draws on (default: the first camera that a layer mentions)',
    )
    .option('--project <id or name>', 'Project of a running service, instead of a path')
    .option(
      '--episodes <ids...>',
      'Only these episodes, separated by commas (default: all of a path; in a project, those without the layer)',
      ids,
    )
    .option('--force', 'Also redo episodes of a project that already have the layer')
    .option(
      '--config <settings>',
      'Layer settings, such as segments.max_segments=20 or, with one layer, {"max_segments": 20}. Repeatable',
      several,
    )
    .option('--workers <n>', 'Worker threads for a path (default: by number of cores)', whole(1))
    .option('--cancel-on-interrupt', 'Cancel the job of a project on Ctrl-C (default: the job keeps running)')
    .option(...dataOption)
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print JSON: the job of a project, or the list of annotations of a path')
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
    throw new InvalidArgumentError(`Unknown layer ${unknown}; choose from ${jobLayers.join(', ')}.`);
  return named;
}
