import type { OntologySummary } from '#core/api';
import type { CurationFacts } from '#store';

type ClassRow = OntologySummary['classes'][number];
type Property = keyof ClassRow['properties'];

const mostValues = 10;
const properties: readonly Property[] = ['decision', 'task', 'robot', 'outcome'];

/** Classes that labels name, by what they are called now, and those that are only declared. */
export function summariseClasses(
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
