import { AssayError } from '#core';
import type { OntologySummary, SetOntology } from '#core/api';
import {
  type CurationFacts,
  curationRows,
  ontologyRows,
  projectRows,
  type Store,
  workspaceRows,
} from '#store';
import { appendAudit } from './audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from './call.ts';
import { noProject } from './projects/views.ts';

/** Episodes whose labels one request may count. */
const maxEpisodes = 100_000;

/**
 * Compares the classes found in a project's labels with those that its workspace declares. Throws `not_found`,
 * `limit_exceeded`.
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
  const { declared } = await ontologyRows.getOntology(scope, project.workspace_id);
  const { renames } = await ontologyRows.getOntology(scope, project_id);
  const episodes = await curationRows.listFacts(scope, project_id, maxEpisodes + 1);
  if (episodes.length > maxEpisodes)
    throw new AssayError('limit_exceeded', 'the project has too many episodes for one summary', {
      advice: 'split the project, for example by source',
    });
  return {
    project_id,
    workspace_id: project.workspace_id,
    classes: summariseClasses(episodes, declared, renames),
    declared: [...declared],
    renames: { ...renames },
    episodes: episodes.length,
    episodes_with_labels: episodes.filter(({ objects }) => objects.length > 0).length,
    limits: ['counts the labels in the recordings; classes found by annotation layers are not included'],
  };
}

type ClassRow = OntologySummary['classes'][number];
type Property = keyof ClassRow['properties'];

const maxValues = 10;
const properties: readonly Property[] = ['decision', 'task', 'robot', 'outcome'];

/**
 * Summarises the classes of the labels under their current names, and declared classes that no label has; the most
 * frequent first.
 */
function summariseClasses(
  episodes: readonly CurationFacts[],
  declared: readonly string[],
  renames: Readonly<Record<string, string>>,
): ClassRow[] {
  const isDeclared = new Set(declared);
  const called = new Map(Object.entries(renames));
  const found = new Map<string, { as: Set<string>; episodes: Map<string, CurationFacts> }>();
  for (const episode of episodes)
    for (const object of episode.objects) {
      const name = called.get(object) ?? object;
      const one = found.get(name) ?? { as: new Set(), episodes: new Map() };
      one.as.add(object);
      one.episodes.set(episode.id, episode);
      found.set(name, one);
    }
  const rows = [...found].map(
    ([name, { as, episodes }]): ClassRow => ({
      name,
      status: isDeclared.has(name) ? 'declared_and_found' : 'found_not_declared',
      found_as: [...as].sort(),
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
 * Renames and merges classes of a project and edits the declared classes of its workspace. Audited as `policy`.
 * Throws `not_found`, `limit_exceeded`.
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
    const { workspace_id } = project;
    // Locked in this order, so that concurrent changes run one after the other.
    await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if ((await projectRows.getProject(scope, project_id, 'update')) === null) throw noProject();
    const { declared } = await ontologyRows.getOntology(scope, workspace_id);
    const { renames } = await ontologyRows.getOntology(scope, project_id);
    const before = { declared, renames };
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

interface Ontology {
  readonly declared: readonly string[];
  readonly renames: Readonly<Record<string, string>>;
}

/**
 * Adds a change's renames, merges and declared classes to the ontology and removes those renamed to `null` or
 * undeclared. Every rename maps a name in recordings to its final name, so renames never chain.
 */
export function changeOntology(before: Ontology, change: SetOntology): Ontology {
  const renames = new Map(Object.entries(before.renames));
  const call = (from: string, to: string | null): void => {
    if (to === null) {
      renames.delete(from);
      return;
    }
    for (const [raw, name] of renames) if (name === from) renames.set(raw, to);
    renames.set(from, to);
  };
  for (const [from, to] of Object.entries(change.renames ?? {})) call(from, to);
  for (const { classes, into } of change.merges ?? []) for (const one of classes) call(one, into);
  for (const [raw, name] of renames) if (raw === name) renames.delete(raw);
  const declared = new Set([...before.declared, ...(change.declare ?? [])]);
  for (const undeclared of change.undeclare ?? []) declared.delete(undeclared);
  return {
    declared: [...declared].sort(),
    renames: Object.fromEntries([...renames].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
