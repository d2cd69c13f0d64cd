import { requestOf } from '#client';
import { AssayError } from '#core';
import type { JobLayerId } from '#core/api';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import type { ServiceArguments } from '../../service-client.ts';

export interface AnnotateArguments extends ServiceArguments {
  readonly layers?: readonly JobLayerId[];
  readonly layer?: JobLayerId;
  readonly out?: string;
  readonly overlay?: string;
  readonly camera?: string;
  readonly project?: string;
  readonly episodes?: readonly string[];
  readonly force?: boolean;
  /** `--config` values as typed; parsed by `readKnobs`. */
  readonly config?: readonly string[];
  readonly workers?: number;
  readonly cancelOnInterrupt?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `assay annotate` on a local path or on a project of a running service. Throws `usage` for options that do not
 * fit the choice.
 */
export async function annotateCommand(
  path: string | undefined,
  args: AnnotateArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const { project, out, layer } = args;
  if ((path === undefined) === (project === undefined))
    throw usage('annotate needs either a path or --project', examples);
  const layers = [...new Set([...(args.layers ?? []), ...(layer === undefined ? [] : [layer])])];
  if (layers.length === 0) throw usage('no layer given', examples);
  const knobs = readKnobs(args.config ?? [], layers);
  if (project === undefined) {
    requireLocalOptions(args);
    if (out === undefined && args.overlay === undefined)
      throw usage('annotating a path needs an output', 'add --out DIR, or --overlay FILE.mp4');
    if (args.camera !== undefined && args.overlay === undefined)
      throw usage('--camera requires --overlay', 'add --overlay FILE.mp4');
    const { annotateFolder } = await import('./annotate-folder.ts');
    const requestedLayers = layers.map((name) => ({ layer: name, config: knobs[name] ?? {} }));
    if (requestedLayers.every(({ layer }) => layer === reviewLayer))
      throw usage(
        'the layer annotation_review needs other layers to review',
        'add the layers to review to --layers',
      );
    return annotateFolder(path!, { ...args, layers: requestedLayers }, io, launcher);
  }
  if (args.overlay !== undefined || args.camera !== undefined) throw overlayElsewhere(layers[0]);
  if (layers.length > 1 || out !== undefined || args.workers !== undefined)
    throw usage(
      'with --project, pass a single layer and neither --out nor --workers: the service stores the annotations and has its own workers',
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
  return usage(
    '--overlay and --camera work with a path only',
    `for a project, ${method} ${path} returns an image`,
  );
}

const reviewLayer = 'annotation_review';

const examples =
  'assay annotate PATH --layers segments,captions --out DIR, or assay annotate --project NAME --layer segments';

function requireLocalOptions({ force, cancelOnInterrupt, url }: AnnotateArguments): void {
  if (force === true || cancelOnInterrupt === true || url !== undefined)
    throw usage(
      '--force, --cancel-on-interrupt and --url require --project',
      'leave them out, or add --project NAME',
    );
}

const usage = (message: string, advice: string): AssayError => new AssayError('usage', message, { advice });

/** Layer settings as typed: layer → setting → value. */
type TypedKnobs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Parses `--config` values: `layer.setting=value`, `setting=value` if there is one layer, or a JSON object of settings.
 * Throws `usage` if a value does not parse or names another layer.
 */
function readKnobs(texts: readonly string[], layers: readonly string[]): TypedKnobs {
  const [only] = layers;
  const knobs: Record<string, Record<string, unknown>> = {};
  const set = (layer: string | undefined, own: object) => {
    if (layer === undefined || !layers.includes(layer))
      throw knobError(
        `--config sets ${layer}, which is not one of the requested layers`,
        `requested layers: ${layers.join(', ')}`,
      );
    knobs[layer] = { ...knobs[layer], ...own };
  };
  for (const text of texts) {
    const typed = /^(?:([a-z0-9_]+)\.)?([a-z0-9_]+)=(.*)$/s.exec(text);
    if (typed !== null) {
      if (typed[1] === undefined && layers.length > 1)
        throw knobError(
          `--config ${text} needs a layer name, since several layers are requested`,
          `write it as ${only}.${text}`,
        );
      set(typed[1] ?? only, { [typed[2]]: typedValue(typed[3]) });
      continue;
    }
    const object = tryParseJson(text);
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw knobError(
        `invalid --config ${text}`,
        'write it as layer.setting=value, or as a JSON object of settings',
      );
    if (layers.length > 1)
      throw knobError(
        '--config takes a JSON object only if one layer is requested',
        'write it as layer.setting=value',
      );
    set(only, object);
  }
  return knobs;
}

/** Parses a value as JSON; returns the text itself if it is not JSON. */
function typedValue(text: string): unknown {
  const value = tryParseJson(text);
  return value === undefined ? text : value;
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const knobError = (message: string, advice: string): AssayError =>
  new AssayError('usage', message, { advice });
