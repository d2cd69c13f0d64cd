import type { InstalledState, ModelWeights } from '#core/api';
import type { ModelOption } from '../surface.ts';
import { modelOptions } from '../surface-registry.ts';
import { type Pins, readAcceptedPins } from './pins.ts';
import { listWeightFiles, weightsFolder } from './weight-folders.ts';

/** Installation state of a model. */
interface Installed {
  readonly installed: InstalledState;
  /** Weights files; `null` if it has none that could be installed. */
  readonly weights: ModelWeights | null;
}

/** Installation state of every model option, by id. */
export type Inventory = ReadonlyMap<string, Installed>;

/** Reads the models folder. An invalid pins file counts as empty; `verifyModel` reports it. */
export async function readInventory(data_folder: string): Promise<Inventory> {
  const filesByModel = await listWeightFiles(data_folder);
  const rows = await Promise.all(
    modelOptions.map(async (option) => {
      const files = filesByModel.get(option.id) ?? new Set<string>();
      const accepted =
        files.size === 0 ? {} : await readAcceptedPins(data_folder, option.id).catch(() => ({}));
      return [option.id, toInstalled(option, files, accepted)] as const;
    }),
  );
  return new Map(rows);
}

const cacheTtl_ms = 2000;
const inventoryCache = new Map<string, { readonly until: number; readonly inventory: Promise<Inventory> }>();

/** Returns the inventory, cached for two seconds per data folder. */
export function recentInventory(data_folder: string): Promise<Inventory> {
  const pin = inventoryCache.get(data_folder);
  if (pin !== undefined && Date.now() < pin.until) return pin.inventory;
  const inventory = readInventory(data_folder);
  inventoryCache.set(data_folder, { until: Date.now() + cacheTtl_ms, inventory });
  return inventory;
}

function toInstalled(option: ModelOption, files: ReadonlySet<string>, accepted: Pins): Installed {
  const installed = installedState(option, files);
  if (installed !== 'installed' && installed !== 'absent') return { installed, weights: null };
  const source = option.weights ?? null;
  const listed = source?.files ?? [...files].sort().map((path) => ({ path, pin: null }));
  return {
    installed,
    weights: {
      folder: weightsFolder(option.id),
      source: source === null ? null : { repository: source.repository, revision: source.revision },
      files: listed.map(({ path, pin }) => {
        const known = pin ?? accepted[path];
        return { path, bytes: known?.bytes ?? null, sha256: known?.sha256 ?? null, present: files.has(path) };
      }),
    },
  };
}

/** Returns whether a model's files are present, judged by their names in its folder. */
export function installedState(
  { runtime, weights }: ModelOption,
  files: ReadonlySet<string>,
): InstalledState {
  if (runtime === 'algorithm') return 'no_weights_needed';
  if (runtime === 'endpoint' || runtime === 'bundled') return runtime;
  const isInstalled =
    weights === undefined
      ? [...files].some((path) => path.endsWith('.onnx'))
      : weights.files.every(({ path }) => files.has(path));
  return isInstalled ? 'installed' : 'absent';
}
