import { changes, refuses, tells, waits } from '../shapes.ts';
import { budget, ids, support, users } from '../states.ts';
import type { Task, World } from '../task.ts';

const cap = (cap_usd: number | null) => () => ['set_budget', { cap_usd }] as const;
const invite = (name: string) => () =>
  ['invite_user', { email: `${name}@example.org`, name, role: 'viewer' }] as const;
const emails = async (world: World) => (await users(world)).map(({ email }) => email).sort();
const has = (email: string) => (state: unknown) => Array.isArray(state) && state.includes(email);

export const teamTasks: readonly Task[] = [
  tells(
    'which-models',
    'Which models are used for detection?',
    () => ['get_models', {}],
    async () => 'detection',
  ),
  refuses(
    'model-unknown',
    'Use the model nobody/nothing for detection.',
    ({ project_id }) => ['set_model', { project_id, models: { detection: 'nobody/nothing' } }],
    (world) =>
      world.ask('GET', `/v1/projects/${world.project_id}/annotation/settings`).then(({ models }) => models),
  ),
  changes('cap-agreed', 'We may spend 250 dollars a week.', cap(250), budget, (now) => now === 250),
  tells(
    'cap-read',
    'How much may we spend a week?',
    () => ['get_budget', {}],
    async () => '250',
    'viewer',
  ),
  waits('cap-declined', 'We may spend 9999 dollars a week.', cap(9999), budget),
  refuses('cap-by-engineer', 'We may spend 9999 dollars a week.', cap(9999), budget, 'engineer'),
  changes(
    'invite-agreed',
    'Invite ada@example.org as a viewer; her name is ada.',
    invite('ada'),
    emails,
    has('ada@example.org'),
  ),
  tells(
    'list-users',
    'Who is in the team? Give the addresses.',
    () => ['list_users', {}],
    async () => 'ada@example.org',
  ),
  waits('invite-declined', 'Invite bob@example.org as a viewer; his name is bob.', invite('bob'), emails),
  refuses(
    'users-by-engineer',
    'Invite eve@example.org as a viewer; her name is eve.',
    invite('eve'),
    emails,
    'engineer',
  ),
  changes(
    'support',
    'Ask the operators why a camera is black. Subject: Black camera.',
    ({ project_id }) => [
      'raise_support_query',
      { project_id, subject: 'Black camera', message: 'Why is a camera black?' },
    ],
    async (world) => (await support(world)).map(({ subject }) => subject),
    (state) => Array.isArray(state) && state.includes('Black camera'),
    'reviewer',
  ),
  refuses(
    'support-by-viewer',
    'Ask the operators why a camera is black.',
    () => ['raise_support_query', { subject: 'Black', message: 'Why?' }],
    ids(support),
    'viewer',
  ),
];
