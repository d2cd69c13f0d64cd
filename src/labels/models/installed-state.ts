import type { InstalledState } from '#core/api';
import type { ModelOption } from './surface.ts';

/** Whether a model could be run here, judged by the names of the files in its folder. */
export function installedState(
  { runtime, weights }: ModelOption,
  files: ReadonlySet<string>,
): InstalledState {
  if (runtime === 'algorithm') return 'no_weights_needed';
  if (runtime === 'endpoint' || runtime === 'bundled') return runtime;
  const there =
    weights === undefined
      ? [...files].some((path) => path.endsWith('.onnx'))
      : weights.files.every(({ path }) => files.has(path));
  return there ? 'installed' : 'absent';
}
