import { requestOf } from '@assay/client';
import { AssayError } from '#core';
import type { JobLayerId } from '#core/api';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import type { PlaceArguments } from '../../service-place.ts';
import { readKnobs } from './read-knobs.ts';

export interface AnnotateArguments extends PlaceArguments {
  readonly layers?: readonly JobLayerId[];
  readonly layer?: JobLayerId;
  readonly out?: string;
  readonly overlay?: string;
  readonly camera?: string;
  readonly project?: string;
  readonly episodes?: readonly string[];
  readonly force?: boolean;
  /** As it was typed, see `readKnobs`. */
  readonly config?: readonly string[];
  readonly workers?: number;
  readonly cancelOnInterrupt?: boolean;
  readonly json?: boolean;
}

/** `assay annotate`: of a folder here, or of a project at a running service. */
export async function annotateCommand(
  path: string | undefined,
  args: AnnotateArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const { project, out, layer } = args;
  if ((path === undefined) === (project === undefined))
    throw usage('annotate needs a path, or a project of a service', examples);
  const layers = [...new Set([...(args.layers ?? []), ...(layer === undefined ? [] : [layer])])];
  if (layers.length === 0) throw usage('nothing says which layer to add', examples);
  const knobs = readKnobs(args.config ?? [], layers);
  if (project === undefined) {
    demandLocal(args);
    if (out === undefined && args.overlay === undefined)
      throw usage(
        'annotating a path needs a folder for what is made',
        'add --out DIR, or --overlay FILE.mp4',
      );
    if (args.camera !== undefined && args.overlay === undefined)
      throw usage('--camera is of --overlay', 'add --overlay FILE.mp4');
    const { annotateFolder } = await import('./annotate-folder.ts');
    const asked = layers.map((name) => ({ layer: name, config: knobs[name] ?? {} }));
    if (asked.every(({ layer }) => layer === reviewLayer))
      throw usage('there is nothing to review', 'name layers that annotate, too');
    return annotateFolder(path!, { ...args, layers: asked }, io, launcher);
  }
  if (args.overlay !== undefined || args.camera !== undefined) throw overlayElsewhere(layers[0]);
  if (layers.length > 1 || out !== undefined || args.workers !== undefined)
    throw usage(
      'a job of a service is of one layer, keeps its artifacts there and has workers of its own',
      examples,
    );
  const { annotateProject } = await import('./annotate-project.ts');
  const [own] = layers;
  const config = args.config === undefined ? {} : { config: knobs[own] };
  const { config: _typed, layers: _layers, ...others } = args;
  return annotateProject({ ...others, ...config, project, layer: own }, io, launcher);
}

function overlayElsewhere(layer: JobLayerId): AssayError {
  // A review is drawn nowhere.
  const drawn = layer === reviewLayer ? 'object_labels' : layer;
  const named = { project_id: 'PROJECT', episode_id: 'EPISODE', layer: drawn } as const;
  const { method, path } = requestOf('get_overlay', named);
  return usage('--overlay and --camera are of a path', `of a project, ${method} ${path} draws a picture`);
}

const reviewLayer = 'annotation_review';

const examples =
  'assay annotate PATH --layers segments,captions --out DIR, or assay annotate --project NAME --layer segments';

function demandLocal({ force, cancelOnInterrupt, url }: AnnotateArguments): void {
  if (force === true || cancelOnInterrupt === true || url !== undefined)
    throw usage(
      '--force, --cancel-on-interrupt and --url are of a service',
      'leave them out, or name a --project',
    );
}

const usage = (message: string, advice: string): AssayError => new AssayError('usage', message, { advice });
