import { seededRandom } from '#core';
import { type SearchQuery, searchQuerySchema } from '#core/api';
import { createProject, createWorkspace } from '#service/operations';
import type { Store } from '#store';
import { addEpisodes, type TestEpisode } from '../episode-rows.ts';
import { callAs } from '../service-call.ts';

const random = seededRandom(11);
const pick = <T>(values: readonly T[]): T => values[random.integer(0, values.length - 1)];
const many = (count: number): TestEpisode[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `take_${i}`,
    decision: pick(['accept', 'review', 'reject'] as const),
    outcome: pick(['success', 'failure', 'unknown'] as const),
    task: pick(['pick the red cube', 'fold the blue towel', "drop table '; --", null]),
    robot: pick(['so100', 'ur5', null]),
    objects: pick([[], ['cup'], ['cup', 'box']]),
    flags: pick([[], ['frames_repeated']]),
    score: pick([0.2, 0.7, 0.9, null]),
    duration_s: pick([1, 5, 20]),
    receipt: {},
  }));

/** Two numbers stand for what a descriptor makes; every fifth is of another layout, every seventh has none. */
async function describeAll(
  { database }: Store,
  tenant_id: string,
  project_id: string,
  ids: readonly string[],
) {
  for (const [i, id] of ids.entries()) {
    const angle = random.between(0, 6.28);
    const vector = i % 7 === 3 ? null : `[${Math.cos(angle)},${Math.sin(angle)}]`;
    await database.query(
      `INSERT INTO embeddings (tenant_id, descriptor, episode_id, project_id, version, layout, vector, reason)
       VALUES ($1, 'motion', $2, $3, 1, $4, $5::vector, $6)`,
      [
        tenant_id,
        id,
        project_id,
        i % 5 === 4 ? 'state 9' : 'state 2',
        vector,
        vector === null ? 'it stood still' : null,
      ],
    );
  }
}

/** A project with 120 episodes, of which the first 110 are described. */
export async function describedProject(store: Store) {
  const { call, project_id } = await projectOf(store);
  const { tenant_id } = call.actor;
  const ids = await addEpisodes(store, tenant_id, project_id, many(120));
  await describeAll(store, tenant_id, project_id, ids.slice(0, 110));
  return { call, project_id, ids };
}

export const ask = (query: unknown): SearchQuery => searchQuerySchema.parse(query);

export async function projectOf(store: Store) {
  const call = callAs('admin');
  const { id } = await createWorkspace(store, call, { name: 'lab', use_case: 'data-assessment' });
  const project = await createProject(store, call, { workspace_id: id, name: 'arms', target_profile: 'vla' });
  return { call, project_id: project.id };
}
