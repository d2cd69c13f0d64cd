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

/** Judges without annotating. */
export async function switchOffLayers(service: ServiceProcess, project: string): Promise<void> {
  const modes = { metadata: 'off', segments: 'off' };
  await service.ask('PUT', `/v1/projects/${project}/annotation/settings`, { modes });
}

/** Seconds from asking for a run until it succeeded; throws where it did not. */
export async function timedRun(service: ServiceProcess, project: string, source: string): Promise<number> {
  const started = performance.now();
  const run = await service.ask('POST', `/v1/projects/${project}/runs`, { source_id: source });
  for (;;) {
    const now = await service.ask('GET', `/v1/runs/${run.id}`);
    if (now.status === 'succeeded') return (performance.now() - started) / 1000;
    if (!['queued', 'running'].includes(now.status))
      throw new Error(`the run ended ${JSON.stringify(now.error)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
