import { changes, refuses, tells } from '../shapes.ts';
import { holds, names, project, projects, workspaces } from '../states.ts';
import type { Task, World } from '../task.ts';

const target = async (world: World) => (await project(world)).target_profile;
const nowhere = 'prj_01k5w3p9x4f6zv2h7c8d0aqrst';

export const projectTasks: readonly Task[] = [
  tells('list-workspaces', 'Which workspaces do we have?', () => ['list_workspaces', {}], names(workspaces)),
  tells(
    'list-use-cases',
    'Which use cases are there?',
    () => ['list_use_cases', {}],
    async () => [...['robotic-manipulation', 'autonomous-driving']],
  ),
  tells(
    'list-projects',
    'List my projects with their ids.',
    () => ['list_projects', {}],
    async (world) => [world.project_id],
  ),
  tells(
    'count-episodes',
    'How many episodes does this project have?',
    ({ project_id }) => ['open_project', { project_id }],
    async (world) => (await project(world)).episodes,
    'viewer',
  ),
  changes(
    'make-workspace',
    'Make a workspace called Drones for drones and aerial.',
    () => ['create_workspace', { name: 'Drones', use_case: 'drones-aerial' }],
    names(workspaces),
    holds('Drones'),
    'engineer',
  ),
  changes(
    'make-project',
    ({ workspace_id }) => `Make a project called Second arm for a diffusion policy in ${workspace_id}.`,
    ({ workspace_id }) => [
      'create_project',
      { workspace_id, name: 'Second arm', target_profile: 'diffusion-policy' },
    ],
    names(projects),
    holds('Second arm'),
    'engineer',
  ),
  changes(
    'target-cloning',
    'This project is for behaviour cloning from now on.',
    ({ project_id }) => ['set_target_profile', { project_id, target_profile: 'behaviour-cloning' }],
    target,
    (now) => now === 'behaviour-cloning',
  ),
  changes(
    'target-back',
    'Set the target of this project back to VLA.',
    ({ project_id }) => ['set_target_profile', { project_id, target_profile: 'vla' }],
    target,
    (now) => now === 'vla',
  ),
  refuses(
    'target-unknown',
    'Set the target of this project to “rocket”.',
    ({ project_id }) => ['set_target_profile', { project_id, target_profile: 'rocket' }],
    target,
  ),
  refuses(
    'target-by-viewer',
    'Set the target of this project to a world model.',
    ({ project_id }) => ['set_target_profile', { project_id, target_profile: 'world-model' }],
    target,
    'viewer',
  ),
  refuses(
    'project-of-others',
    `Rename nothing, only set the target of ${nowhere} to VLA.`,
    () => ['set_target_profile', { project_id: nowhere, target_profile: 'vla' }],
    names(projects),
  ),
];
