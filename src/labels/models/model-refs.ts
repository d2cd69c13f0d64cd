import { join } from 'node:path';
import { AssayError } from '#core';
import type { ModelSurfaceId, VisionEndpoint } from '#core/api';
import { mainGraph } from './contract.ts';
import type { ModelRef } from './host/protocol.ts';
import type { ModelOption } from './surface.ts';
import { surfaceOf } from './surface-registry.ts';
import { bundledPath, installedGraph, listWeightFiles, weightsPath } from './weights/weight-folders.ts';

/**
 * Returns files or endpoint of the selected model of each surface, without algorithms and models that are not
 * installed; throws `layer_unavailable` for an endpoint model that `endpoint` does not serve. No other model replaces
 * it.
 */
export async function resolveModelRefs(
  data_folder: string,
  surfaces: readonly ModelSurfaceId[],
  models: readonly string[],
  endpoint: VisionEndpoint | undefined,
): Promise<Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>> {
  if (models.length === 0) return {};
  const weightFiles = await listWeightFiles(data_folder);
  const refs: Partial<Record<ModelSurfaceId, ModelRef>> = {};
  for (const surface of surfaces) {
    const parsedNames = models.map(parseModelName);
    const option = surfaceOf(surface).options.find(({ id }) => parsedNames.some((one) => one.id === id));
    if (option === undefined) continue;
    if (option.runtime === 'endpoint') {
      const name = models[parsedNames.findIndex(({ id }) => id === option.id)];
      refs[surface] = endpointRef(name, endpoint);
      continue;
    }
    const files = weightFiles.get(option.id) ?? new Set<string>();
    const ref = bundledRef(option) ?? installedRef(data_folder, option, files);
    if (ref !== null) refs[surface] = ref;
  }
  return refs;
}

/** Returns the reference to a model on the vision endpoint. */
function endpointRef(model: string, endpoint: VisionEndpoint | undefined): ModelRef {
  if (endpoint !== undefined && endpoint.model === parseModelName(model).served)
    return { model, runtime: 'endpoint', graphs: {}, endpoint };
  throw new AssayError('layer_unavailable', `no vision endpoint is configured for ${model}`, {
    advice: 'set the same ASSAY_VLM_URL and ASSAY_VLM_MODEL for every process that annotates',
  });
}

/**
 * Returns the reference to a model whose weights are among `files` in its folder; `null` if none of them is its
 * graph. The files are not checked.
 */
export function installedRef(
  data_folder: string,
  option: ModelOption,
  files: ReadonlySet<string>,
): ModelRef | null {
  const graph = installedGraph(option, files);
  if (graph === null) return null;
  const { id, contract } = option;
  const runtime = option.runtime === 'tfjs' ? 'tfjs' : 'onnx';
  const path = join(weightsPath(data_folder, id), ...graph.split('/'));
  return { model: id, runtime, graphs: { [mainGraph]: path }, ...(contract && { contract }) };
}

function bundledRef({ id, bundled, contract }: ModelOption): ModelRef | null {
  if (bundled === undefined) return null;
  const graphs: Record<string, string> = {};
  for (const [graph, file] of Object.entries(bundled.files)) {
    const path = bundledPath(bundled.package, file);
    if (path === null) return null;
    graphs[graph] = path;
  }
  return { model: id, runtime: 'tfjs', graphs, ...(contract && { contract }) };
}

/** Separator between an option's id and the model that an endpoint serves for it. */
const servedSeparator = '@';

/** Returns the name of a model in artifacts and jobs: `id`, or `id@served` for an endpoint. */
export const modelName = ({ id, served }: Pick<ModelOption, 'id'> & { readonly served?: string }): string =>
  served === undefined ? id : `${id}${servedSeparator}${served}`;

/** Splits a model name, `id` or `id@served`, at its first `@`; `served` is `null` without an endpoint. */
export function parseModelName(name: string): { readonly id: string; readonly served: string | null } {
  const at = name.indexOf(servedSeparator);
  return at < 0 ? { id: name, served: null } : { id: name.slice(0, at), served: name.slice(at + 1) };
}
