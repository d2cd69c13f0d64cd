import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceRequests } from './service-process.ts';

/** Makes a project of a folder's recordings and runs it to its end; gives the project's id. */
export async function assessFolder(
  service: ServiceRequests,
  path: string,
  use_case = 'robotic-manipulation',
  workspace_name = 'lab',
): Promise<string> {
  const made = { name: workspace_name, use_case };
  const workspace = await service.ask('POST', '/v1/workspaces', made);
  const wanted = { workspace_id: workspace.id, name: 'all', target_profile: 'vla' };
  const { id: project_id } = await service.ask('POST', '/v1/projects', wanted);
  const source = await service.ask('POST', `/v1/projects/${project_id}/sources`, { kind: 'folder', path });
  let run = await service.ask('POST', `/v1/projects/${project_id}/runs`, { source_id: source.id });
  while (run.status === 'queued' || run.status === 'running') {
    await wait(50);
    run = await service.ask('GET', `/v1/runs/${run.id}`);
  }
  if (run.status !== 'succeeded')
    throw new Error(`the run ended ${run.status}: ${JSON.stringify(run.error)}`);
  return project_id;
}
