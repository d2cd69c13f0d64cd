import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import type { CertificationReport } from '#core/api';
import { operations } from '#core/api/operations';
import { ask, OwnObjects } from './support/contract-calls.ts';
import { type ContractService, startContractService } from './support/contract-service.ts';
import { writeTinyRecordings } from './support/tiny-recordings.ts';

/** Fixtures of the objects that ids in examples stand for. */
const standsFor: Readonly<Record<string, string>> = {
  ws: 'workspace_id',
  prj: 'project_id',
  src: 'source_id',
  run: 'run_id',
  ep: 'episode_id',
  slc: 'slice_id',
};

/** Ten episodes are recorded and assessed. */
const slow_ms = 600_000;

let service: ContractService;
let own: OwnObjects;
beforeAll(async () => {
  service = await startContractService({ write: (folder) => writeTinyRecordings(folder, 10) });
  own = new OwnObjects(service, service.tenants[0]);
  // Before an example of a run occupies the source.
  await own.fixture('run_id');
}, slow_ms);
afterAll(() => service.close());

const withBody = operations.rows.filter(({ body }) => body !== undefined);
/** Operations whose example works only after the example of another operation. */
const before: Readonly<Record<string, string>> = {
  import_certification_report: 'create_certification_policy',
};

describe('the example of a whole body', () => {
  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    'of %s is accepted',
    async (id) => {
      if (id in before) await send(before[id]);
      await runsEnded();
      const { status, success, text } = await send(id);
      expect('found' in success ? [success.status, success.found] : [success.status], text).toContain(status);
    },
  );
});

/** Requests of the tenant's admin, for what the examples need. */
const request = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(service.address + path, {
    method,
    headers: {
      authorization: `Bearer ${service.tenants[0].tokens.admin}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
};

/** Waits until no run is in progress: a source is rescored only between runs. */
async function runsEnded(): Promise<void> {
  const path = `/v1/projects/${await own.fixture('project_id')}/runs`;
  for (;;) {
    const { items } = await request<{ items: readonly { status: string }[] }>('GET', path);
    if (items.every(({ status }) => status !== 'queued' && status !== 'running')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Imports a failure of a task that the project has: only episodes near one can be boosted. */
async function importNearFailure(): Promise<string> {
  const episode = await request<{ task: string }>('GET', `/v1/episodes/${await own.fixture('episode_id')}`);
  const path = `/v1/projects/${await own.fixture('project_id')}/failures`;
  const imported = await request<{ id: string }>('POST', path, {
    records: [{ id: 'near', task: episode.task, failure_mode: 'dropped' }],
    novel_from: 1,
  });
  return imported.id;
}

async function send(id: string) {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  const params = {
    ...(await own.params(operation)),
    ...(id === 'close_loop' ? { import_id: await importNearFailure() } : {}),
  };
  const body = await adapt(id, operation.example, params);
  const token = service.tenants[0].tokens.admin;
  const answer = await ask(service, operation, { token, params, body });
  return { ...answer, success: operation.success };
}

/** The example with ids of objects that exist, a token that is good, and a report of the project. */
async function adapt(
  id: string,
  example: unknown,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (id === 'accept_invitation' || id === 'create_session') {
    const operation = operations.get(id);
    return operation === undefined ? example : own.body(operation);
  }
  if (id === 'import_certification_report')
    return reportOf(example as CertificationReport, params.project_id);
  const ids = [...new Set(JSON.stringify(example).match(/\b[a-z]+_01k5w3p9x4f6zv2h7c8d0aqrst\b/g))];
  let text = JSON.stringify(example);
  for (const found of ids) {
    const fixture = standsFor[found.slice(0, found.indexOf('_'))];
    text = text.replaceAll(found, await own.fixture(fixture));
  }
  return JSON.parse(text);
}

function reportOf({ content_hash, ...rest }: CertificationReport, project_id: string): CertificationReport {
  expect(content_hash).toBe(sha256(canonicalJson(rest)));
  const report = { ...rest, project_id };
  return { ...report, content_hash: sha256(canonicalJson(report)) };
}
