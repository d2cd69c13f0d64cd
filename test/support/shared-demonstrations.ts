import { join } from 'node:path';
import type { TeleopOptions } from '#apps/samples';
import { type AssayClient, createClient } from '#client';
import { type SharedResource, sharedResource } from './shared-resources.ts';

/** Four demonstrations, of which three wait for review. */
const four: TeleopOptions = {
  episodes: 4,
  plan: { 1: ['jump', 'medium'], 2: ['lag', 'medium'], 3: ['lag', 'medium'] },
};
/** Ten demonstrations, of which some wait for review and one is rejected. */
const ten: TeleopOptions = {
  episodes: 10,
  plan: {
    1: ['jump', 'medium'],
    3: ['lag', 'medium'],
    5: ['jump', 'medium'],
    7: ['black_video', 'medium'],
  },
};

/**
 * In Vitest's main process: writes demonstrations where the shared service can read them. Facts: `folder`, which holds the
 * set `teleop`.
 */
export async function shareDemonstrations(count: 4 | 10): Promise<SharedResource> {
  const { recordings } = await sharedResource('service');
  const folder = join(recordings, `demonstrations-${count}`);
  await writeDemonstrations(folder, count);
  return { facts: { folder }, stop: async () => {} };
}

/**
 * In Vitest's main process: a tenant of the shared service with a project of ten assessed demonstrations, which test files
 * only read. Facts: `token`, `project_id` and `run_id`.
 */
export async function assessTenDemonstrations(): Promise<SharedResource> {
  const { address, token: operator } = await sharedResource('service');
  const { folder } = await sharedResource('demonstrations-10');
  const { token } = await createClient({ address, token: operator }).tenant.create({
    name: 'readers',
    token: { name: 'admin', role: 'admin' },
  });
  const ids = await assessFolder(createClient({ address, token: token.token }), folder);
  return { facts: { token: token.token, ...ids }, stop: async () => {} };
}

/** Writes demonstrations as LeRobot v3.0 into `recordings/teleop`. */
export async function writeDemonstrations(recordings: string, count: 4 | 10): Promise<void> {
  // Vitest's main process loads this code only if a test needs it.
  const { writeTeleopLeRobot } = await import('#apps/samples');
  await writeTeleopLeRobot(join(recordings, 'teleop'), 7, () => {}, count === 4 ? four : ten);
}

/** Creates the workspace `lab` and the project `arms`, and assesses a folder in it. */
export async function assessFolder(
  client: AssayClient,
  path: string,
): Promise<{ readonly project_id: string; readonly run_id: string }> {
  const workspace = await client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
  const made = { workspace_id: workspace.id, name: 'arms', target_profile: 'behaviour-cloning' } as const;
  const { id: project_id } = await client.projects.create(made);
  const source = await client.sources.create({ project_id, kind: 'folder', path });
  const { id: run_id } = await client.runs.start({ project_id, source_id: source.id });
  await runEnded(client, run_id);
  return { project_id, run_id };
}

/** Waits until a run has succeeded. Throws if it ends otherwise. */
export async function runEnded(client: AssayClient, run_id: string): Promise<void> {
  for await (const { event, data } of client.runs.stream({ run_id })) {
    if (event !== 'run') continue;
    if (data.status === 'succeeded') return;
    if (data.status === 'failed' || data.status === 'cancelled') break;
  }
  throw new Error(`run ${run_id} did not succeed`);
}
