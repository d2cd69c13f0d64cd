import { requestOf } from '@assay/client';
import { AssayError } from '#core';
import type { JobLayerId } from '#core/api';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import type { PlaceArguments } from '../../service-place.ts';

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

/** Values as they were typed, by layer and knob. */
type TypedKnobs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Reads `--config`: `layer.knob=value`, `knob=value` where one layer is meant, or a JSON object of its knobs. Throws `usage`.
 */
function readKnobs(texts: readonly string[], layers: readonly string[]): TypedKnobs {
  const [only] = layers;
  const knobs: Record<string, Record<string, unknown>> = {};
  const set = (layer: string | undefined, own: object) => {
    if (layer === undefined || !layers.includes(layer))
      throw wrong(
        `--config names ${layer}, which is not among the layers`,
        `the layers are ${layers.join(', ')}`,
      );
    knobs[layer] = { ...knobs[layer], ...own };
  };
  for (const text of texts) {
    const typed = /^(?:([a-z0-9_]+)\.)?([a-z0-9_]+)=(.*)$/s.exec(text);
    if (typed !== null) {
      if (typed[1] === undefined && layers.length > 1)
        throw wrong(`--config ${text} does not say which layer it is of`, `write it as ${only}.${text}`);
      set(typed[1] ?? only, { [typed[2]]: typedValue(typed[3]) });
      continue;
    }
    const object = parsed(text);
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw wrong(`--config cannot be ${text}`, 'write it as layer.knob=value, or as a JSON object of knobs');
    if (layers.length > 1)
      throw wrong('--config as a JSON object is of one layer', 'write it as layer.knob=value');
    set(only, object);
  }
  return knobs;
}

/** JSON where it is JSON, else the text. */
function typedValue(text: string): unknown {
  const value = parsed(text);
  return value === undefined ? text : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const wrong = (message: string, advice: string): AssayError => new AssayError('usage', message, { advice });
