import type { LayerId } from '#core/api';
import { classLayers } from '#labels/annotation';
import { annotationRows, ontologyRows, type TenantScope } from '#store';

/** Origin of a class: labels in the recording, or an annotation layer. */
export type ClassOrigin = 'recording' | LayerId;

/** Classes that annotation layers found in a project, and the names that people gave to classes. */
export interface ProjectClasses {
  /** Current class names by recorded name. */
  readonly renames: ReadonlyMap<string, string>;
  /** Recorded names by episode and layer. */
  readonly found: ReadonlyMap<string, readonly (readonly [layer: LayerId, classes: readonly string[]])[]>;
  /** Number of annotations whose classes are unknown, because an older version made them. */
  readonly unknown: number;
}

/** Loads the classes found by annotation layers, and the renames of a project. */
export async function loadClasses(scope: TenantScope, project_id: string): Promise<ProjectClasses> {
  const { renames } = await ontologyRows.getOntology(scope, project_id);
  const rows = await annotationRows.listClasses(scope, project_id, classLayers);
  const found = new Map<string, (readonly [LayerId, readonly string[]])[]>();
  for (const { episode_id, layer, classes } of rows) {
    if (classes === null) continue;
    const own = found.get(episode_id) ?? [];
    found.set(episode_id, [...own, [layer as LayerId, classes]]);
  }
  const unknown = rows.filter(({ classes }) => classes === null).length;
  return { renames: new Map(Object.entries(renames)), found, unknown };
}

/** Returns the current names of the classes of an episode, sorted. `recorded`: classes of the labels in its recording. */
export function currentClasses(
  { renames, found }: ProjectClasses,
  episode_id: string,
  recorded: readonly string[],
): readonly string[] {
  const all = [...recorded, ...(found.get(episode_id) ?? []).flatMap(([, classes]) => classes)];
  return [...new Set(all.map((name) => renames.get(name) ?? name))].sort();
}

/** Returns the recorded names of classes that are called by their current names; none for a name that was replaced. */
export async function recordedNames(
  scope: TenantScope,
  project_id: string,
  classes: readonly string[],
): Promise<string[]> {
  const renames = Object.entries((await ontologyRows.getOntology(scope, project_id)).renames);
  const replaced = new Set(renames.map(([recorded]) => recorded));
  const current = new Set(classes);
  return [
    ...renames.flatMap(([recorded, name]) => (current.has(name) ? [recorded] : [])),
    ...classes.filter((name) => !replaced.has(name)),
  ];
}
