import { join } from 'node:path';
import type { ModelOption } from '../surface.ts';
import { weightsPath } from './weight-folders.ts';

/** The file that is loaded of those in a model's folder: the graph that the registry names, else the first one there. */
export function placedGraph(
  data_folder: string,
  { id, weights }: ModelOption,
  files: ReadonlySet<string>,
): string | null {
  const named = weights?.files.map(({ path }) => path) ?? [...files].sort();
  const file = named.find((path) => path.endsWith('.onnx') && files.has(path));
  return file === undefined ? null : join(weightsPath(data_folder, id), ...file.split('/'));
}
