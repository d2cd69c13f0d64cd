import assert from 'node:assert/strict';
import { inSection, refused, type Statement } from '../statement.ts';
import { newName, type World } from '../world.ts';

interface Contract {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-required-role': string }>>>>;
}

const contractOf = async ({ send }: World): Promise<Contract> =>
  (await send('GET', '/v1/openapi.json', undefined, '')).body as Contract;

/** Endpoints of the interface by section; `{}` stands for any parameter. */
const endpoints: Readonly<Record<string, readonly string[]>> = {
  '4.1': [
    'GET /v1/projects/{}/annotation/settings',
    'PUT /v1/projects/{}/annotation/settings',
    'PUT /v1/workspaces/{}/annotation/settings',
    'GET /v1/projects/{}/annotation/status',
    'GET /v1/projects/{}/annotation/coverage',
    'GET /v1/models',
    'GET /v1/budget',
    'GET /v1/costs',
  ],
  '4.2': [
    'POST /v1/projects/{}/annotation/jobs',
    'GET /v1/projects/{}/annotation/jobs',
    'GET /v1/projects/{}/annotation/jobs/stream',
  ],
  '4.3': [
    'GET /v1/projects/{}/readiness/settings',
    'PUT /v1/projects/{}/readiness/settings',
    'GET /v1/projects/{}/utility',
    'POST /v1/projects/{}/ablation',
    'GET /v1/projects/{}/distribution-gap',
    'GET /v1/projects/{}/ontology/summary',
    'PUT /v1/projects/{}/ontology/summary',
  ],
  '4.4': [
    'GET /v1/projects/{}/curation/strategies',
    'POST /v1/projects/{}/curation/preview',
    'POST /v1/projects/{}/curation/apply',
    'GET /v1/projects/{}/curation/recommend',
    'POST /v1/projects/{}/curate',
  ],
  '4.5': [
    'GET /v1/projects/{}/certification/policies',
    'POST /v1/projects/{}/certification/policies',
    'GET /v1/projects/{}/certification/report',
    'POST /v1/projects/{}/certification/export',
    'POST /v1/projects/{}/certification/import',
  ],
  '4.6': [
    'POST /v1/copilot/chat',
    'GET /v1/copilot/models',
    'GET /v1/copilot/suggestions',
    'POST /v1/copilot/support',
    'GET /v1/copilot/support',
    'GET /v1/copilot/threads',
    'GET /v1/copilot/threads/{}',
    'DELETE /v1/copilot/threads/{}',
  ],
  '4.7': ['GET /v1/use-cases', 'PUT /v1/workspaces/{}/use-case', 'PUT /v1/projects/{}/data-kind'],
};

const endpointStatements: Statement[] = Object.entries(endpoints).flatMap(([section, rows]) =>
  inSection(
    section,
    Object.fromEntries(
      rows.map((row) => [
        `${row} is in the contract and needs a token`,
        async (world: World) => {
          const [method, path] = row.split(' ');
          const { paths } = await contractOf(world);
          const same = (known: string) => known.replace(/\{[^}]+\}/g, '{}') === path;
          const found = Object.entries(paths).find(([known]) => same(known));
          assert.ok(found?.[1][method.toLowerCase()] !== undefined, 'it is not in the contract');
          const address = path.replaceAll('{}', 'none');
          assert.equal(
            (await world.send(method, address, method === 'GET' ? undefined : {}, '')).status,
            401,
          );
        },
      ]),
    ),
  ),
);

const access = inSection('5', {
  'Requests without a good bearer token are refused': async ({ send }) => {
    for (const token of ['', 'asy_no', `asy_${'0'.repeat(43)}`])
      assert.equal((await send('GET', '/v1/workspaces', undefined, token)).status, 401);
  },
  'Each identity has exactly one role on the ladder': async ({ as }) => {
    for (const role of ['viewer', 'reviewer', 'engineer', 'admin'] as const)
      assert.equal((await as[role].tenant.whoami()).role, role);
  },
  'Every operation of the contract states its minimum role': async (world) => {
    for (const [path, item] of Object.entries((await contractOf(world)).paths))
      for (const [method, row] of Object.entries(item))
        assert.match(
          row['x-required-role'],
          /^(public|viewer|reviewer|engineer|admin)$/,
          `${method} ${path}`,
        );
  },
  'Viewers read episodes, receipts and exports, and change nothing': async ({ as, recorded }) => {
    const { project_id, source_id, episode_ids } = await recorded();
    const [episode_id] = episode_ids;
    await as.viewer.episodes.getReceipt({ episode_id });
    await as.viewer.exports.list({ project_id });
    await refused(as.viewer.episodes.createReview({ episode_id, decision: 'accept' }), 403);
    await refused(as.viewer.runs.start({ project_id, source_id }), 403);
    await refused(as.viewer.annotation.setSettings({ project_id, modes: {} }), 403);
  },
  'Reviewers review and do not ingest': async ({ as, recorded }) => {
    const { project_id, source_id, episode_ids } = await recorded();
    await as.reviewer.episodes.createReview({ episode_id: episode_ids[0], decision: 'accept' });
    await refused(as.reviewer.runs.start({ project_id, source_id }), 403);
    await refused(as.reviewer.sources.create({ project_id, kind: 'upload', name: 'no' }), 403);
  },
  'Engineers ingest and write annotation settings, and do not administer the tenant': async ({
    as,
    newProject,
  }) => {
    const { project_id, workspace_id } = await newProject();
    await as.engineer.sources.create({ project_id, kind: 'upload', name: 'more' });
    await as.engineer.annotation.setSettings({ project_id, modes: {} });
    await as.engineer.annotation.setWorkspaceSettings({ workspace_id, modes: {} });
    await refused(as.engineer.budget.set({ cap_usd: 1 }), 403);
    await refused(as.engineer.tenant.createToken({ name: 'no', role: 'viewer' }), 403);
    await refused(as.engineer.tenant.listUsers(), 403);
  },
  'Another tenant’s objects look like objects that do not exist': async ({ other, recorded }) => {
    const { project_id, workspace_id, source_id, run_id, episode_ids } = await recorded();
    const [episode_id] = episode_ids;
    const calls = [
      () => other.projects.get({ project_id }),
      () => other.workspaces.get({ workspace_id }),
      () => other.sources.get({ source_id }),
      () => other.runs.get({ run_id }),
      () => other.episodes.get({ episode_id }),
      () => other.episodes.getReceipt({ episode_id }),
      () => other.annotation.getSettings({ project_id }),
      () => other.certification.getReport({ project_id }),
      () => other.exports.list({ project_id }),
    ];
    for (const one of calls) assert.equal((await refused(one(), 404)).code, 'not_found');
  },
  'The audit log of a tenant is intact and its own': async ({ as, other, newProject }) => {
    const { project_id } = await newProject();
    assert.ok((await as.admin.audit.list({ object_id: project_id })).items.length > 0);
    assert.equal((await other.audit.list({ object_id: project_id })).items.length, 0);
    assert.equal((await as.admin.audit.verify()).intact, true);
  },
});

/** Amounts have six decimal places; a job is charged in parts, each of them rounded. */
const rounding_usd = 1e-6;
const maxCharges = 10;

const limits = inSection('8', {
  'The tenant has a weekly cap, which is read with the rolling spend': async ({ as }) => {
    const { window, spent_usd, reserved_usd } = await as.viewer.budget.get();
    assert.ok(window.days === 7 && spent_usd >= 0 && reserved_usd >= 0);
    const { total_usd, items } = await as.viewer.budget.getCosts();
    assert.ok(total_usd >= 0 && Array.isArray(items));
  },
  'What is metered is the measured cost': async ({ as, recorded, jobEnded }) => {
    const { project_id } = await recorded();
    const { window } = await as.viewer.budget.getCosts();
    /** Costs of the project since the same time in every call, whatever else the tenant spends meanwhile. */
    const spent = async () => {
      const { items } = await as.viewer.budget.getCosts({ group_by: 'project', from: window.from });
      return items.find(({ key }) => key === project_id)?.amount_usd ?? 0;
    };
    const before = await spent();
    const enqueued = await as.engineer.annotationJobs.enqueue({ project_id, layer: 'metadata', force: true });
    const { measured_usd, compute_s } = await jobEnded(enqueued);
    assert.ok(compute_s >= 0);
    const charged = (await spent()) - before;
    assert.ok(
      Math.abs(charged - measured_usd) <= maxCharges * rounding_usd,
      `${charged} USD were charged for a job that measured ${measured_usd} USD`,
    );
  },
});

const versioning = inSection('9', {
  'The contract is an OpenAPI 3.1.0 document': async (world) => {
    const { openapi, info } = await contractOf(world);
    assert.equal(openapi, '3.1.0');
    assert.match(info.version, /^\d+\.\d+\.\d+/);
  },
  'All paths that need a token begin with /v1': async (world) => {
    for (const [path, item] of Object.entries((await contractOf(world)).paths))
      for (const row of Object.values(item))
        assert.ok(row['x-required-role'] === 'public' || path.startsWith('/v1/'), path);
  },
  'Runs can be planned, and projects be asked without a model': async ({ as, recorded }) => {
    const { project_id, source_id } = await recorded();
    assert.equal((await as.engineer.runs.plan({ project_id, source_id })).episodes, 2);
    const question = `What blocks readiness? ${newName('')}`;
    const { sentences } = await as.viewer.copilot.askProject({ project_id, question });
    assert.ok(sentences.length > 0);
  },
});

export const accessStatements = [...access, ...endpointStatements, ...limits, ...versioning];
