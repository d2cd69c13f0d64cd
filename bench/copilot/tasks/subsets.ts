import { changes, refuses, tells, waits } from '../shapes.ts';
import { exportsOf, holds, ids, names, oneMore, plans, slices, worst } from '../states.ts';
import type { Task, World } from '../task.ts';

const slice =
  (name: string, more: object = {}) =>
  ({ project_id }: World) =>
    ['create_slice', { project_id, name, ...more }] as const;
const curate =
  (strategy: string, more: object = {}) =>
  ({ project_id }: World) =>
    ['curate_subset', { project_id, stages: [{ strategy, ...more }] }] as const;
const make = ({ project_id, source_id, episode_id }: World) =>
  ['create_export', { project_id, source_id, episodes: { episode_ids: [episode_id] } }] as const;
const known =
  (tool: string) =>
  ({ project_id, export_id }: World) =>
    [tool, { project_id, export_id }] as const;
const status = async (world: World) =>
  (await exportsOf(world)).find(({ id }) => id === world.export_id)?.status ?? 'gone';

export const subsetTasks: readonly Task[] = [
  tells(
    'search-worst',
    'Find the episode with the lowest score.',
    ({ project_id }) => ['search_episodes', { project_id }],
    async (world) => (await worst(world)).id,
    'viewer',
  ),
  changes(
    'slice-accepted',
    'Save the accepted episodes as a slice called good.',
    slice('good', { query: { filter: { decision: ['accept'] } } }),
    names(slices),
    holds('good'),
    'reviewer',
  ),
  refuses(
    'slice-by-viewer',
    'Save all episodes as a slice called mine.',
    slice('mine'),
    ids(slices),
    'viewer',
  ),
  tells(
    'list-slices',
    'Which slices are saved?',
    ({ project_id }) => ['list_slices', { project_id }],
    names(slices),
  ),
  waits('curate-declined', 'Choose what to train on at random.', curate('random'), ids(plans)),
  refuses('curate-by-magic', 'Choose what to train on by magic.', curate('magic'), ids(plans)),
  changes(
    'curate-agreed',
    'Choose what to train on at random.',
    curate('random'),
    ids(plans),
    oneMore,
    'engineer',
  ),
  tells(
    'list-exports',
    'Which exports are there? Give their ids.',
    ({ project_id }) => ['list_exports', { project_id }],
    ids(exportsOf),
    'viewer',
  ),
  waits('export-declined', 'Export this episode as LeRobot.', make, ids(exportsOf)),
  refuses('export-by-reviewer', 'Export this episode as LeRobot.', make, ids(exportsOf), 'reviewer'),
  tells(
    'where-to-download',
    ({ export_id }) => `Where can I download ${export_id}?`,
    known('get_export_download'),
    async ({ export_id }) => `/exports/${export_id}/`,
    'viewer',
  ),
  waits('seal-declined', ({ export_id }) => `Seal the export ${export_id}.`, known('seal_export'), status),
  changes(
    'seal-agreed',
    ({ export_id }) => `Seal the export ${export_id}.`,
    known('seal_export'),
    status,
    (now) => now === 'sealed',
    'reviewer',
  ),
  refuses(
    'delete-sealed',
    ({ export_id }) => `Delete ${export_id}.`,
    known('delete_export'),
    status,
    'engineer',
  ),
  changes(
    'delete-agreed',
    ({ export_id }) => `Delete the export ${export_id} for good.`,
    known('delete_export'),
    status,
    (now) => now === 'gone',
  ),
  changes('export-agreed', 'Export this episode as LeRobot.', make, ids(exportsOf), oneMore, 'engineer'),
];
