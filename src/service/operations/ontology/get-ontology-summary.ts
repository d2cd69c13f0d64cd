import { AssayError } from '#core';
import type { OntologySummary } from '#core/api';
import { type CurationFacts, curationRows, ontologyRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';

/** Episodes whose labels are counted in one answer. */
const mostEpisodes = 100_000;

/** Classes that were found, held against those that the workspace declares. Throws `not_found`, `limit_exceeded`. */
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
  const episodes = await curationRows.listFacts(scope, project_id, mostEpisodes + 1);
  if (episodes.length > mostEpisodes)
    throw new AssayError('limit_exceeded', 'the project has more episodes than are summed up at once', {
      advice: 'split the project by source population',
    });
  return {
    project_id,
    workspace_id: project.workspace_id,
    classes: summariseClasses(episodes, declared, renames),
    declared: [...declared],
    renames: { ...renames },
    episodes: episodes.length,
    episodes_with_labels: episodes.filter(({ objects }) => objects.length > 0).length,
    limits: ['labels that the recordings carry; classes that annotation layers found are not counted here'],
  };
}

type ClassRow = OntologySummary['classes'][number];
type Property = keyof ClassRow['properties'];

const mostValues = 10;
const properties: readonly Property[] = ['decision', 'task', 'robot', 'outcome'];

/** Classes that labels name, by what they are called now, and those that are only declared. */
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
      properties: distributionsOf([...episodes.values()]),
    }),
  );
  for (const name of declared)
    if (!found.has(name))
      rows.push({
        name,
        status: 'declared_not_found',
        found_as: [],
        episodes: 0,
        properties: distributionsOf([]),
      });
  return rows.sort((a, b) => b.episodes - a.episodes || (a.name < b.name ? -1 : 1));
}

function distributionsOf(episodes: readonly CurationFacts[]): ClassRow['properties'] {
  const of = (property: Property): ClassRow['properties'][Property] => {
    const counts = new Map<string | null, number>();
    for (const episode of episodes) counts.set(episode[property], (counts.get(episode[property]) ?? 0) + 1);
    return [...counts]
      .sort(([a, x], [b, y]) => y - x || ((a ?? '') < (b ?? '') ? -1 : 1))
      .slice(0, mostValues)
      .map(([value, count]) => ({ value, episodes: count }));
  };
  const [decision, task, robot, outcome] = properties.map(of);
  return { decision, task, robot, outcome };
}
