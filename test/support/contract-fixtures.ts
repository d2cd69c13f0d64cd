import type { CertificationPolicyInput } from '#core/api';
import { defaultPolicy } from '#quality/certification';
import { chatOver } from './chat-client.ts';
import { collect } from './collect.ts';
import type { ContractService, TestTenant } from './contract-service.ts';

/** Tenant of the service in which fixtures are created by its admin. */
export interface World {
  readonly service: ContractService;
  readonly tenant: TestTenant;
  /** Throws unless the answer is 2xx. */
  // biome-ignore lint/suspicious/noExplicitAny: fixtures pick one member of an answer
  ask(method: string, path: string, body?: unknown): Promise<any>;
  /** The object that a path parameter of this name stands for; made once until it is forgotten. */
  fixture(name: string): Promise<string>;
}

/**
 * One row a path parameter: makes such an object in a tenant and answers its id. A parameter with a closed list of
 * values needs none; an operation that takes another kind of object under the same name has a row of its own,
 * `operation.parameter`.
 */
export const fixtures: Readonly<Record<string, (world: World) => Promise<string>>> = {
  token_id: async ({ ask }) => (await ask('POST', '/v1/tokens', { name: 'spare', role: 'viewer' })).id,
  use_case_id: async () => 'robotic-manipulation',
  workspace_id: async ({ ask }) =>
    (await ask('POST', '/v1/workspaces', { name: 'lab', use_case: 'robotic-manipulation' })).id,
  project_id: async ({ ask, fixture }) =>
    (
      await ask('POST', '/v1/projects', {
        workspace_id: await fixture('workspace_id'),
        name: 'arms',
        target_profile: 'vla',
      })
    ).id,
  source_id: async ({ ask, fixture, service }) =>
    (
      await ask('POST', `/v1/projects/${await fixture('project_id')}/sources`, {
        kind: 'folder',
        path: service.recordings,
      })
    ).id,
  run_id: async ({ ask, fixture }) => {
    const source_id = await fixture('source_id');
    const { project_id } = await ask('GET', `/v1/sources/${source_id}`);
    const { id } = await ask('POST', `/v1/projects/${project_id}/runs`, { source_id });
    for (;;) {
      const { status, error } = await ask('GET', `/v1/runs/${id}`);
      if (status === 'succeeded') return id;
      if (status !== 'queued' && status !== 'running')
        throw new Error(`the run ${status}: ${JSON.stringify(error)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  },
  file: async () => 'index.html',
  episode_id: async ({ ask, fixture }) => {
    const { project_id } = await ask('GET', `/v1/runs/${await fixture('run_id')}`);
    return (await ask('GET', `/v1/projects/${project_id}/episodes`)).items[0].id;
  },
  review_id: async ({ ask, fixture }) => {
    const path = `/v1/episodes/${await fixture('episode_id')}/reviews`;
    return (await ask('POST', path, { decision: 'review' })).id;
  },
  webhook_id: async ({ ask }) =>
    (await ask('POST', '/v1/webhooks', { name: 'chat', url: 'https://hooks.example.org/assay' })).id,
  'redeliver_webhook.delivery_id': async ({ ask, fixture }) =>
    (await ask('POST', `/v1/webhooks/${await fixture('webhook_id')}/test`)).id,
  subscription_id: async ({ ask }) =>
    (await ask('POST', '/v1/email-subscriptions', { name: 'team', email: 'team@example.org' })).id,
  'redeliver_email.delivery_id': async ({ ask, fixture }) =>
    (await ask('POST', `/v1/email-subscriptions/${await fixture('subscription_id')}/test`)).id,
  thread_id: newThread,
  slice_id: newSlice,
  'promote_slice.slice_id': newSlice,
  'get_slice.project_id': projectOfEpisode,
  'list_slice_members.project_id': projectOfEpisode,
  'diff_slices.project_id': projectOfEpisode,
  'promote_slice.project_id': projectOfEpisode,
  'delete_slice.project_id': projectOfEpisode,
  'compare_episodes.project_id': projectOfEpisode,
  'list_episode_annotations.project_id': projectOfEpisode,
  'get_episode_annotation.project_id': projectOfEpisode,
  'get_episode_annotation.episode_id': async (world) => (await annotated(world)).episode_id,
  'get_annotation_part.project_id': projectOfEpisode,
  'get_annotation_part.episode_id': async (world) => (await annotated(world)).episode_id,
  part: async () => 'artifact',
  'get_overlay.project_id': projectOfEpisode,
  'get_overlay.episode_id': async (world) => (await annotated(world)).episode_id,
  'annotate_episode.project_id': projectOfEpisode,
  'list_annotation_edits.project_id': projectOfEpisode,
  'edit_dense_text.project_id': projectOfEpisode,
  job_id: async (world) => (await annotated(world)).machine.job_id,
  'get_annotation_job.project_id': projectOfEpisode,
  'cancel_annotation_job.project_id': projectOfEpisode,
  plan_id: async (world) => (await applied(world)).id,
  'get_curation_plan.project_id': projectOfEpisode,
  import_id: async (world) => (await imported(world)).id,
  'get_failure_import.project_id': projectOfEpisode,
  'close_loop.project_id': projectOfEpisode,
  export_id: async (world) => (await exported(world)).id,
  ...Object.fromEntries(
    [
      'create_export',
      'list_exports',
      'get_export',
      'cancel_export',
      'seal_export',
      'delete_export',
      'get_export_lineage',
      'get_export_download',
      'list_export_files',
      'get_export_file',
    ].map((operation) => [`${operation}.project_id`, projectOfEpisode]),
  ),
  policy_version: async (world) => {
    const path = `/v1/projects/${await world.fixture('project_id')}/certification/policies`;
    return String((await world.ask('POST', path, policyInput())).policy.version);
  },
  'export_certification.project_id': projectOfEpisode,
  'import_certification_report.project_id': projectOfEpisode,
  'get_certification_report.project_id': projectOfEpisode,
  'list_certification_decisions.project_id': projectOfEpisode,
  'dry_run_certification_policy.project_id': projectOfEpisode,
  // One that is sealed is an admin's to delete.
  'seal_export.export_id': async (world) => (await exported(world)).id,
  'get_export_file.file': async () => 'assay-lineage.json',
  stream_id: async (world) => streamOf(world, false),
  'get_frame.stream_id': async (world) => streamOf(world, true),
  'get_video.stream_id': async (world) => streamOf(world, true),
};

async function newThread({ service, tenant, ask }: World): Promise<string> {
  const said = { messages: [{ role: 'user', content: 'What blocks readiness?' }] };
  await collect(chatOver(service.address, tenant.tokens.admin, said));
  return (await ask('GET', '/v1/copilot/threads')).items[0].id;
}

async function projectOfEpisode({ ask, fixture }: World): Promise<string> {
  return (await ask('GET', `/v1/episodes/${await fixture('episode_id')}`)).project_id;
}

async function newSlice(world: World): Promise<string> {
  const path = `/v1/projects/${await projectOfEpisode(world)}/slices`;
  return (await world.ask('POST', path, { name: 'held out' })).id;
}

/** An export of one episode, at its end; for evaluation, since slices that other operations lock hold the episode out. */
async function exported(world: World): Promise<{ id: string }> {
  const path = `/v1/projects/${await projectOfEpisode(world)}/exports`;
  const episode_ids = [await world.fixture('episode_id')];
  const made = await world.ask('POST', path, { episodes: { episode_ids }, purpose: 'evaluation' });
  for (;;) {
    const { status, error } = await world.ask('GET', `${path}/${made.id}`);
    if (status === 'succeeded') return made;
    if (status !== 'queued' && status !== 'running')
      throw new Error(`the export ${status}: ${JSON.stringify(error)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function annotated(world: World): Promise<{ episode_id: string; machine: { job_id: string } }> {
  const [project_id, episode_id] = [await projectOfEpisode(world), await world.fixture('episode_id')];
  const path = `/v1/projects/${project_id}/episodes/${episode_id}/annotations/metadata`;
  return world.ask('POST', path, { force: true });
}

async function applied(world: World): Promise<{ readonly id: string }> {
  const project_id = await projectOfEpisode(world);
  return world.ask('POST', `/v1/projects/${project_id}/curate`, { strategy: 'random' });
}

async function imported(world: World): Promise<{ readonly id: string }> {
  const project_id = await projectOfEpisode(world);
  return world.ask('POST', `/v1/projects/${project_id}/failures`, {
    records: [{ id: 'first', task: 'pour' }],
  });
}

async function streamOf({ ask, fixture }: World, pictures: boolean): Promise<string> {
  const { items } = await ask('GET', `/v1/episodes/${await fixture('episode_id')}/streams`);
  type Stream = { readonly id: string; readonly links: { readonly frames: string | null } };
  return items.find(({ links }: Stream) => (links.frames !== null) === pictures).id;
}

/** Required query parameters by operation. */
export const queries: Readonly<Record<string, string>> = { get_overlay: 'layer=metadata' };

/**
 * Bodies, by operation, that cannot be made up from their schema because they must fit what is there.
 */
export const bodies: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  accept_invitation: async ({ ask }) => {
    const email = `${Math.random().toString(36).slice(2)}@example.org`;
    const { invitation } = await ask('POST', '/v1/users', { email, name: 'New', role: 'viewer' });
    return { token: invitation.token };
  },
  create_session: async ({ ask }) => ({ token: (await ask('POST', '/v1/sign-in-links')).token }),
  copilot_chat: async ({ fixture }) => ({
    messages: [{ role: 'user', content: 'What blocks readiness?' }],
    project_id: await fixture('project_id'),
  }),
  create_tenant: async () => ({
    name: `lab-${Math.random().toString(36).slice(2)}`,
    token: { name: 'first', role: 'admin' },
  }),
  annotate_episode: async () => ({ force: true }),
  preview_curation: async () => ({ stages: [{ strategy: 'random' }] }),
  apply_curation: async () => ({ seed: 1, stages: [{ strategy: 'decision' }] }),
  curate: async () => ({ strategy: 'score', parameters: { least: 0.5 } }),
  run_ablation: async () => ({}),
  run_probe: async () => ({ folds: 3 }),
  compare_episodes: async ({ fixture }) => {
    const run_id = await fixture('run_id');
    return { one: { run_id }, other: { run_id } };
  },
  import_failures: async () => ({ records: [{ id: 'first', task: 'pour', failure_mode: 'spilt' }] }),
  close_loop: async () => ({ factor: 2 }),
  create_export: async ({ ask, fixture }) => ({
    source_id: (await ask('GET', `/v1/episodes/${await fixture('episode_id')}`)).source_id,
  }),
  create_certification_policy: async () => policyInput(),
  dry_run_certification_policy: async () => policyInput(),
  import_certification_report: async ({ ask, fixture }) => {
    const path = `/v1/projects/${await fixture('import_certification_report.project_id')}/certification`;
    await ask('POST', `${path}/policies`, policyInput());
    return ask('GET', `${path}/report`);
  },
  create_source: async ({ service }) => ({ kind: 'folder', path: service.recordings }),
  create_webhook: async () => ({ name: 'chat', url: 'https://hooks.example.org/assay' }),
  update_webhook: async () => ({ events: null }),
  update_email_subscription: async () => ({ enabled: false }),
};

function policyInput(): CertificationPolicyInput {
  const { target, metrics } = defaultPolicy('vla');
  return { target, metrics };
}
