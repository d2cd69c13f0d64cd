import { AssayError, pointerPart } from '#core';
import type { OntologySummary, SetOntology } from '#core/api';
import { classLayers } from '#labels/annotation';
import {
  annotationRows,
  type CurationFacts,
  curationRows,
  ontologyRows,
  projectCountRows,
  projectRows,
  type Store,
  type TenantScope,
  workspaceRows,
} from '#store';
import { appendAudit } from './audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from './call.ts';
import { changeOntology, type Ontology } from './change-ontology.ts';
import { type ClassOrigin, loadClasses, type ProjectClasses } from './classes.ts';
import { noProject } from './projects/views.ts';

/** Maximum number of episodes of a project whose classes are summarised. */
const maxEpisodes = 100_000;

/**
 * Compares the classes found in a project's labels and annotations with those that its workspace declares. Throws
 * `not_found`, `limit_exceeded`.
 */
export async function getOntologySummary(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<OntologySummary> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  await requireSummarisable(scope, project_id);
  const { declared } = await ontologyRows.getOntology(scope, project.workspace_id);
  const classes = await loadClasses(scope, project_id);
  const episodes = await curationRows.listFacts(scope, project_id, maxEpisodes);
  return {
    project_id,
    workspace_id: project.workspace_id,
    classes: summariseClasses(episodes, declared, classes),
    declared: [...declared],
    renames: Object.fromEntries(classes.renames),
    episodes: episodes.length,
    episodes_with_labels: episodes.filter((episode) => classNames(episode, classes).length > 0).length,
    limits: describeLimits(classes),
  };
}

/** Throws `limit_exceeded` if a project has too many episodes for a summary. */
async function requireSummarisable(scope: TenantScope, project_id: string): Promise<void> {
  const counts = await projectCountRows.countEpisodes(scope, [project_id]);
  if (counts.reduce((sum, { episodes }) => sum + episodes, 0) <= maxEpisodes) return;
  throw new AssayError('limit_exceeded', 'the project has too many episodes for one summary', {
    advice: 'split the project, for example by source',
  });
}

const describeLimits = ({ unknown }: ProjectClasses): string[] => [
  'texts of captions and detailed descriptions keep the names that they were written with',
  ...(unknown === 0
    ? []
    : [
        `${unknown} annotations were made by an older version and are not counted; annotate these layers again`,
      ]),
];

/** Returns the recorded class names of an episode, each with its origin. */
function classNames(
  { id, objects }: CurationFacts,
  { found }: ProjectClasses,
): (readonly [name: string, origin: ClassOrigin])[] {
  return [
    ...objects.map((name) => [name, 'recording'] as const),
    ...(found.get(id) ?? []).flatMap(([layer, names]) => names.map((name) => [name, layer] as const)),
  ];
}

type ClassRow = OntologySummary['classes'][number];
type Property = keyof ClassRow['properties'];

const maxValues = 10;
const properties: readonly Property[] = ['decision', 'task', 'robot', 'outcome'];

interface FoundClass {
  /** Recorded names. */
  readonly as: Set<string>;
  readonly by: Set<ClassOrigin>;
  readonly episodes: Map<string, CurationFacts>;
}

/**
 * Summarises the classes of labels and annotations under their current names, and declared classes that were not found;
 * the most frequent first.
 */
function summariseClasses(
  episodes: readonly CurationFacts[],
  declared: readonly string[],
  classes: ProjectClasses,
): ClassRow[] {
  const isDeclared = new Set(declared);
  const found = new Map<string, FoundClass>();
  for (const episode of episodes)
    for (const [recorded, origin] of classNames(episode, classes)) {
      const name = classes.renames.get(recorded) ?? recorded;
      const one: FoundClass = found.get(name) ?? { as: new Set(), by: new Set(), episodes: new Map() };
      one.as.add(recorded);
      one.by.add(origin);
      one.episodes.set(episode.id, episode);
      found.set(name, one);
    }
  const rows = [...found].map(
    ([name, { as, by, episodes }]): ClassRow => ({
      name,
      status: isDeclared.has(name) ? 'declared_and_found' : 'found_not_declared',
      found_as: [...as].sort(),
      found_by: [...by].sort(),
      episodes: episodes.size,
      properties: countDistributions([...episodes.values()]),
    }),
  );
  for (const name of declared)
    if (!found.has(name))
      rows.push({
        name,
        status: 'declared_not_found',
        found_as: [],
        found_by: [],
        episodes: 0,
        properties: countDistributions([]),
      });
  return rows.sort((a, b) => b.episodes - a.episodes || (a.name < b.name ? -1 : 1));
}

function countDistributions(episodes: readonly CurationFacts[]): ClassRow['properties'] {
  const of = (property: Property): ClassRow['properties'][Property] => {
    const counts = new Map<string | null, number>();
    for (const episode of episodes) counts.set(episode[property], (counts.get(episode[property]) ?? 0) + 1);
    return [...counts]
      .sort(([a, x], [b, y]) => y - x || ((a ?? '') < (b ?? '') ? -1 : 1))
      .slice(0, maxValues)
      .map(([value, count]) => ({ value, episodes: count }));
  };
  const [decision, task, robot, outcome] = properties.map(of);
  return { decision, task, robot, outcome };
}

/**
 * Renames and merges classes of a project, edits the declared classes of its workspace, audits this as `policy` and returns
 * the new summary. Audited as `policy`. Throws `not_found`, `limit_exceeded`, `invalid_request` for a rename or merge of an
 * unknown class.
 */
export async function setOntologySummary(
  store: Store,
  call: Call,
  { project_id, ...change }: SetOntology & { readonly project_id: string },
): Promise<OntologySummary> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    const project = await projectRows.getProject(scope, project_id);
    if (project === null) throw noProject();
    // The answer is the summary, so a change that it cannot be computed for is refused.
    await requireSummarisable(scope, project_id);
    const { workspace_id } = project;
    // Locked in this order, so that concurrent changes run one after the other.
    await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if ((await projectRows.getProject(scope, project_id, 'update')) === null) throw noProject();
    const { declared } = await ontologyRows.getOntology(scope, workspace_id);
    const { renames } = await ontologyRows.getOntology(scope, project_id);
    const before = { declared, renames };
    requireKnownClasses(change, before, await foundNames(scope, project_id));
    const after = changeOntology(before, change);
    const updated_at = call.now;
    await ontologyRows.setOntology(scope, {
      owner_id: workspace_id,
      declared: after.declared,
      renames: {},
      updated_at,
    });
    await ontologyRows.setOntology(scope, {
      owner_id: project_id,
      declared: [],
      renames: after.renames,
      updated_at,
    });
    await appendAudit(store, call, {
      action: 'set_ontology_summary',
      object_type: 'ontology',
      object_id: project_id,
      before: { declared: [...declared], renames: { ...renames } },
      after: { declared: [...after.declared], renames: { ...after.renames } },
      detail: { change: 'policy', workspace_id },
    });
  });
  return getOntologySummary(store, call, { project_id });
}

/** Returns the recorded names of all classes found in a project. */
async function foundNames(scope: TenantScope, project_id: string): Promise<ReadonlySet<string>> {
  const recorded = await curationRows.listObjects(scope, project_id);
  return new Set([
    ...recorded,
    ...(await annotationRows.listDistinctClasses(scope, project_id, classLayers)),
  ]);
}

/**
 * Throws `invalid_request` if a rename or merge names a class that is neither found nor declared, nor the name of a
 * class now or before a rename.
 */
function requireKnownClasses(
  { renames = {}, merges = [], declare = [] }: SetOntology,
  before: Ontology,
  found: ReadonlySet<string>,
): void {
  const known = new Set([
    ...found,
    ...before.declared,
    ...declare,
    ...Object.entries(before.renames).flat(),
    // Merges are applied after renames, in order.
    ...Object.values(renames).flatMap((name) => name ?? []),
    ...merges.map(({ into }) => into),
  ]);
  const named = [
    ...Object.keys(renames).map((name) => [name, `/body/renames/${pointerPart(name)}`] as const),
    ...merges.flatMap(({ classes }, merge) =>
      classes.map((name, place) => [name, `/body/merges/${merge}/classes/${place}`] as const),
    ),
  ];
  const errors = named.flatMap(([name, pointer]) =>
    known.has(name) ? [] : [{ pointer, message: `the project has no class ${JSON.stringify(name)}` }],
  );
  if (errors.length === 0) return;
  throw new AssayError('invalid_request', errors[0].message, {
    advice: 'GET …/ontology/summary lists the classes; declare a class first to rename it before it is found',
    details: { errors },
  });
}
