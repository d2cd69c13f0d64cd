import type { World } from './task.ts';

type Item = { readonly id: string; readonly [member: string]: unknown };

const itemsOf = (path: (world: World) => string) => async (world: World) =>
  (await world.ask('GET', `${path(world)}?limit=200`)).items as Item[];
const below = (path: string) => (world: World) => `/v1/projects/${world.project_id}/${path}`;

export const project = (world: World) => world.ask('GET', `/v1/projects/${world.project_id}`);
export const workspaces = itemsOf(() => '/v1/workspaces');
export const projects = itemsOf(() => '/v1/projects');
export const sources = itemsOf(below('sources'));
export const runs = itemsOf(below('runs'));
export const slices = itemsOf(below('slices'));
export const plans = itemsOf(below('curation/plans'));
export const jobs = itemsOf(below('annotation/jobs'));
export const users = itemsOf(() => '/v1/users');
export const support = itemsOf(() => '/v1/copilot/support');
export const exportsOf = itemsOf(below('exports'));
export const budget = async (world: World) => (await world.ask('GET', '/v1/budget')).cap_usd;
export const checks = async (world: World) =>
  (await world.ask('GET', below('readiness/settings')(world))).checks as Item[];
export const layers = async (world: World) =>
  (await world.ask('GET', below('annotation/settings')(world))).project_modes as Record<string, string>;
export const worst = async (world: World): Promise<Item> =>
  (await world.ask('GET', `${below('episodes')(world)}?sort=score&limit=1`)).items[0];

export const ids = (list: (world: World) => Promise<readonly Item[]>) => async (world: World) =>
  (await list(world)).map(({ id }) => id).sort();
export const names = (list: (world: World) => Promise<readonly Item[]>) => async (world: World) =>
  (await list(world)).map(({ name }) => name);
/** Whether a list of names, or of ids, holds one. */
export const holds = (wanted: string) => (state: unknown) => Array.isArray(state) && state.includes(wanted);
export const oneMore = (state: unknown, before: unknown) =>
  Array.isArray(state) && Array.isArray(before) && state.length === before.length + 1;
