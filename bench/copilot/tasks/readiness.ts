import { changes, refuses, tells } from '../shapes.ts';
import { checks, project, worst } from '../states.ts';
import type { Task, World } from '../task.ts';

const check = 'episode_length';
const own = async (world: World) => (await checks(world)).find(({ id }) => id === check);
const set =
  (settings: Record<string, boolean | number | null>) =>
  ({ project_id }: World) =>
    ['set_readiness_settings', { project_id, checks: { [check]: settings } }] as const;

interface Stored {
  readonly enabled: { readonly effective: boolean };
  readonly threshold: { readonly stored_offset: number | null };
  readonly weight: { readonly stored_factor: number | null };
}
const stored = (state: unknown) => state as Stored;

export const readinessTasks: readonly Task[] = [
  tells(
    'readiness',
    'How ready is this project? Give the decisions.',
    ({ project_id }) => ['get_readiness_report', { project_id }],
    async (world) => (await project(world)).target_profile,
    'viewer',
  ),
  tells(
    'why-this-episode',
    ({ episode_id }) => `Why was ${episode_id} judged as it was?`,
    ({ project_id, episode_id }) => ['get_readiness_report', { project_id, episode_id }],
    async ({ episode_id }) => episode_id,
  ),
  tells(
    'worst-episode',
    'Which episode is the worst, and why?',
    ({ project_id }) => ['diagnose_failures', { project_id }],
    async (world) => (await worst(world)).id,
  ),
  tells(
    'which-checks',
    'By which checks are episodes judged? Give their ids.',
    ({ project_id }) => ['get_readiness_settings', { project_id }],
    async (world) => (await checks(world)).map(({ id }) => id).slice(0, 3),
  ),
  changes(
    'check-off',
    'Do not judge the length of episodes.',
    set({ enabled: false }),
    own,
    (now) => !stored(now).enabled.effective,
    'engineer',
  ),
  changes(
    'check-on',
    'Judge the length of episodes again.',
    set({ enabled: true }),
    own,
    (now) => stored(now).enabled.effective,
  ),
  changes(
    'weight',
    'Count the length of episodes one and a half times.',
    set({ weight_factor: 1.5 }),
    own,
    (now) => stored(now).weight.stored_factor === 1.5,
  ),
  changes(
    'threshold-clamped',
    'Move the threshold for the length of episodes up by 99.',
    set({ threshold_offset: 99 }),
    own,
    (now) => {
      const offset = stored(now).threshold.stored_offset;
      return offset !== null && offset > 0 && offset < 99;
    },
  ),
  refuses(
    'check-by-reviewer',
    'Do not judge the length of episodes.',
    set({ enabled: false }),
    own,
    'reviewer',
  ),
];
