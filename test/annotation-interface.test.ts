import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#core/api';
import { OwnObjects } from './support/contract-calls.ts';
import { type ContractService, joinContractService } from './support/contract-service.ts';

let service: ContractService;
let own: OwnObjects;
beforeAll(async () => {
  const environment_models = { detection: 'peterande/d-fine-n', reviewing: 'self-hosted/vision' };
  service = await joinContractService({ environment_models });
  own = new OwnObjects(service, service.tenants[0]);
}, 120_000);
afterAll(() => service.close());

async function ask(
  method: string,
  path: string,
  { role = 'admin', body, headers = {} }: { role?: Role; body?: object; headers?: object } = {},
) {
  const answer = await fetch(service.address + path, {
    method,
    headers: {
      authorization: `Bearer ${service.tenants[0].tokens[role]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

const projectOfEpisode = async (): Promise<string> =>
  (await ask('GET', `/v1/episodes/${await own.fixture('episode_id')}`)).body.project_id;

describe('annotation settings', () => {
  it('of a workspace can be read by viewers, and are not sent again to who has them', async () => {
    const path = `/v1/workspaces/${await own.fixture('workspace_id')}/annotation/settings`;
    const empty = await ask('GET', path, { role: 'viewer' });
    expect([empty.status, empty.body]).toMatchObject([200, { workspace_modes: {}, workspace_config: {} }]);
    const etag = empty.headers.get('etag') ?? '';
    const conditional = { role: 'viewer', headers: { 'if-none-match': etag } } as const;
    expect((await ask('GET', path, conditional)).status).toBe(304);
    const body = { modes: { depth: 'off' }, config: { captions: { window_s: 9 } } };
    const { body: stored } = await ask('PUT', path, { body });
    const changed = await ask('GET', path, conditional);
    expect([changed.status, changed.body]).toEqual([200, stored]);
    await ask('PUT', path, { body: { modes: {}, config: {} } });
  });

  it('say what of a change is stored differently, for a project and a workspace', async () => {
    const config = {
      dense_text: { target_words: 9999.7, style: 'haiku', colour: 'red' },
      captions: { window_s: 5, max_words: 7.6 },
      object_labels: { classes: [' cup ', 'cup'], masks: true },
      nonsense: { a: 1 },
      depth: 'much',
    };
    const adjusted = [
      ['/body/config/dense_text/target_words', 9999.7, 2000, 'must be an integer from 50 to 2000'],
      [
        '/body/config/dense_text/style',
        'haiku',
        null,
        expect.stringContaining('must be one of chronological'),
      ],
      ['/body/config/dense_text/colour', 'red', null, expect.stringContaining('unknown setting')],
      ['/body/config/captions/max_words', 7.6, 8, 'must be an integer from 5 to 60'],
      ['/body/config/object_labels/classes', [' cup ', 'cup'], ['cup'], expect.stringContaining('different')],
      ['/body/config/nonsense', { a: 1 }, null, expect.stringContaining('unknown layer')],
      ['/body/config/depth', 'much', null, 'must be an object of settings'],
    ].map(([pointer, asked, stored, reason]) => ({ pointer, asked, stored, reason }));
    for (const owner of [
      `projects/${await own.fixture('project_id')}`,
      `workspaces/${await own.fixture('workspace_id')}`,
    ]) {
      const path = `/v1/${owner}/annotation/settings`;
      const { status, body } = await ask('PUT', path, { body: { config } });
      expect([status, body.adjusted], owner).toEqual([200, adjusted]);
      expect((await ask('GET', path)).body.adjusted, owner).toEqual([]);
      await ask('PUT', path, { body: { config: {} } });
    }
  });
});

describe('a model that the operator set and whose weights are missing', () => {
  it('is named with its files wherever it is chosen', async () => {
    const project_id = await projectOfEpisode();
    const missing = expect.stringMatching(
      /peterande\/d-fine-n, set by ASSAY_MODEL_DETECTION, .*onnx\/model\.onnx missing in models\/peterande\/d-fine-n/,
    );
    const { body: models } = await ask('GET', '/v1/models');
    expect(models.items.find(({ id }: { id: string }) => id === 'detection').chosen).toEqual({
      ...{ model: 'peterande/d-fine-n', from: 'environment', passed_over: null },
      missing,
    });
    const { body: status } = await ask('GET', `/v1/projects/${project_id}/annotation/status`);
    const labels = status.layers.find(({ layer }: { layer: string }) => layer === 'object_labels');
    expect(labels).toMatchObject({ available: false, unavailable_reason: missing });
    const job = await ask('POST', `/v1/projects/${project_id}/annotation/jobs`, {
      body: { layer: 'object_labels' },
    });
    expect(job).toMatchObject({ status: 409, body: { code: 'layer_unavailable', detail: missing } });
  });

  it('is not silently replaced by what the layer does without a model', async () => {
    const job = await ask('POST', `/v1/projects/${await projectOfEpisode()}/annotation/jobs`, {
      body: { layer: 'annotation_review' },
    });
    const detail = expect.stringMatching(
      /self-hosted\/vision, set by ASSAY_MODEL_REVIEWING, needs a vision endpoint/,
    );
    expect(job).toMatchObject({ status: 409, body: { code: 'layer_unavailable', detail } });
  });
});

it('coverage says why a layer has no quality', async () => {
  const project_id = await projectOfEpisode();
  const episode_id = await own.fixture('episode_id');
  const path = `/v1/projects/${project_id}/episodes/${episode_id}/annotations/captions`;
  expect((await ask('POST', path, { body: { force: true } })).status).toBe(200);
  const { body } = await ask('GET', `/v1/projects/${project_id}/annotation/coverage`);
  type Row = {
    layer: string;
    kinds: { quality: number | null; quality_reason: string | null; covered: number }[];
  };
  const kinds = body.layers.flatMap((row: Row) => row.kinds);
  expect(kinds.length).toBeGreaterThan(0);
  for (const { quality, quality_reason } of kinds)
    expect(quality === null ? quality_reason : null).toEqual(quality === null ? expect.any(String) : null);
  const reasonOf = (layer: string) =>
    body.layers.find((row: Row) => row.layer === layer).kinds[0].quality_reason;
  expect(reasonOf('depth')).toBe('no episode has this layer yet');
  const captions = body.layers.find((row: Row) => row.layer === 'captions').kinds[0];
  if (captions.quality === null)
    expect(captions.quality_reason).toMatch(/^(no quality|the layer has no output) .+: /);
});

it('viewers see what a job would do and cost, and queue none', async () => {
  const jobs = `/v1/projects/${await projectOfEpisode()}/annotation`;
  const asked = { role: 'viewer', body: { layer: 'segments', force: true } } as const;
  const preview = await ask('POST', `${jobs}/preview`, asked);
  expect(preview).toMatchObject({ status: 200, body: { layer: 'segments', job_id: null } });
  expect(preview.body.episodes).toBeGreaterThan(0);
  expect((await ask('POST', `${jobs}/jobs`, asked)).status).toBe(403);
  expect((await ask('GET', `${jobs}/jobs?layer=segments&status=queued`)).body.items).toEqual([]);
});
