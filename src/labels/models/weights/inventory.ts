import type { InstalledState, ModelWeights } from '#core/api';
import { modelOptions } from '../find-option.ts';
import { installedState } from '../installed-state.ts';
import type { ModelOption } from '../surface.ts';
import { listPlaced } from './list-placed.ts';
import { type Pins, readAcceptedPins } from './pins.ts';
import { weightsFolder } from './weight-folders.ts';

/** What of a model is here. */
interface Installed {
  readonly installed: InstalledState;
  /** Null where it needs none that anybody could place. */
  readonly weights: ModelWeights | null;
}

/** By model id: every option of the registry. */
export type Inventory = ReadonlyMap<string, Installed>;

/** Looks into the models folder of this process. A list of pins that was spoiled counts as none; `verify` names it. */
export async function takeInventory(data_folder: string): Promise<Inventory> {
  const placed = await listPlaced(data_folder);
  const rows = await Promise.all(
    modelOptions.map(async (option) => {
      const files = placed.get(option.id) ?? new Set<string>();
      const accepted =
        files.size === 0 ? {} : await readAcceptedPins(data_folder, option.id).catch(() => ({}));
      return [option.id, installedOf(option, files, accepted)] as const;
    }),
  );
  return new Map(rows);
}

const fresh_ms = 2000;
const kept = new Map<string, { readonly until: number; readonly inventory: Promise<Inventory> }>();

/** The same, looked up at most every two seconds however often it is asked for. */
export function recentInventory(data_folder: string): Promise<Inventory> {
  const known = kept.get(data_folder);
  if (known !== undefined && Date.now() < known.until) return known.inventory;
  const inventory = takeInventory(data_folder);
  kept.set(data_folder, { until: Date.now() + fresh_ms, inventory });
  return inventory;
}

function installedOf(option: ModelOption, files: ReadonlySet<string>, accepted: Pins): Installed {
  const installed = installedState(option, files);
  if (installed !== 'installed' && installed !== 'absent') return { installed, weights: null };
  const source = option.weights ?? null;
  const wanted = source?.files ?? [...files].sort().map((path) => ({ path, pin: null }));
  return {
    installed,
    weights: {
      folder: weightsFolder(option.id),
      source: source === null ? null : { repository: source.repository, revision: source.revision },
      files: wanted.map(({ path, pin }) => {
        const known = pin ?? accepted[path];
        return { path, bytes: known?.bytes ?? null, sha256: known?.sha256 ?? null, present: files.has(path) };
      }),
    },
  };
}
