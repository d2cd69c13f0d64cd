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

/** Returns the distinct classes in an artifact, sorted; `null` for layers that have no classes. */
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

/** Returns an artifact with its classes under their current names. Artifacts without classes are returned as they are. */
export function renameClasses(layer: string, artifact: unknown, renames: ClassRenames): unknown {
  const path = labelPaths[layer as LayerId];
  const names = new Map(Object.entries(renames));
  if (path === undefined || names.size === 0) return artifact;
  return mapLabels(artifact, path, (label) => names.get(label) ?? label);
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
