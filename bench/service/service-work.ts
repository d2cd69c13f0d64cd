import type { ServiceProcess } from '#test/support/service-process';

/** A project and a source of a folder in it, by their ids. */
export async function registered(service: ServiceProcess, set: string) {
  const workspace = await service.ask('POST', '/v1/workspaces', {
    name: 'bench',
    use_case: 'robotic-manipulation',
  });
  const project = await service.ask('POST', '/v1/projects', {
    workspace_id: workspace.id,
    name: 'bench',
    target_profile: 'behaviour-cloning',
  });
  const source = await service.ask('POST', `/v1/projects/${project.id}/sources`, {
    kind: 'folder',
    path: set,
  });
  return { project: project.id as string, source: source.id as string };
}

/** 99th percentile of the delay of the service’s event loop since it was asked last. */
export async function lagP99_ms(service: ServiceProcess): Promise<number> {
  const { body } = await service.request('GET', '/metrics');
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(String(body))?.[1]) * 1000;
}
