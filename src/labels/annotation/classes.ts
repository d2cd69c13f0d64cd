import type { LayerId } from '#core/api';

/** Current class names by recorded name. A name without an entry is unchanged. */
export type ClassRenames = Readonly<Record<string, string>>;

/** Lists that lead to the objects with a `label` in the artifact of a layer. */
const labelPaths: Readonly<Partial<Record<LayerId, readonly string[]>>> = {
  object_labels: ['frames', 'boxes'],
  segmentation: ['frames', 'labels'],
  tracks: ['cameras', 'tracks'],
};

/** Layers whose artifacts have classes. */
export const classLayers = Object.keys(labelPaths) as readonly LayerId[];

/** Returns the distinct class names in an artifact of a layer, sorted; `null` for layers that have no classes. */
export function listClasses(layer: string, artifact: unknown): readonly string[] | null {
  const path = labelPaths[layer as LayerId];
  if (path === undefined) return null;
  const classes = new Set<string>();
  mapLabels(artifact, path, (label) => {
    classes.add(label);
    return label;
  });
  return [...classes].sort();
}

/** Maps recorded class names to current ones, and records which renames were applied. */
export class ClassNames {
  readonly #renames: ReadonlyMap<string, string>;
  readonly #applied = new Map<string, string>();

  constructor(renames: ClassRenames) {
    this.#renames = new Map(Object.entries(renames));
  }

  /** True if there are no renames. */
  get isEmpty(): boolean {
    return this.#renames.size === 0;
  }

  /** Renames that `currentName` has applied so far, by recorded name. */
  get applied(): ClassRenames {
    return Object.fromEntries([...this.#applied].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the current name of a class by its recorded one, and records the rename if they differ. */
  currentName(recorded: string): string {
    const name = this.#renames.get(recorded);
    if (name === undefined) return recorded;
    this.#applied.set(recorded, name);
    return name;
  }
}

/**
 * Returns a copy of an artifact with its classes under their current names, which `names` records; the artifact
 * itself if its layer has no classes or there are no renames.
 */
export function renameClasses(layer: string, artifact: unknown, names: ClassNames): unknown {
  const path = labelPaths[layer as LayerId];
  if (path === undefined || names.isEmpty) return artifact;
  return mapLabels(artifact, path, (label) => names.currentName(label));
}

/** Returns a copy of `holder` with each label on `path` replaced. Values of another shape are left to their readers. */
function mapLabels(
  holder: unknown,
  [list, ...rest]: readonly string[],
  replace: (label: string) => string,
): unknown {
  if (typeof holder !== 'object' || holder === null) return holder;
  const own = holder as Readonly<Record<string, unknown>>;
  if (list === undefined)
    return typeof own.label === 'string' ? { ...own, label: replace(own.label) } : holder;
  const items = own[list];
  if (!Array.isArray(items)) return holder;
  return { ...own, [list]: items.map((item) => mapLabels(item, rest, replace)) };
}
