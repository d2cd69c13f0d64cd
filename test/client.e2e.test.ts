import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AssayApiError,
  type AssayClient,
  all,
  createClient,
  type EpisodeSummary,
  type Run,
  type Source,
} from '#client';
import { verifyReceipt } from '#quality/readiness/documents';
import { joinSharedService, type SharedService } from './support/shared-service.ts';
import { writeTinyRecordings } from './support/tiny-recordings.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-client-'));
const recordings = join(scratch, 'recordings');
let service: SharedService;
let client: AssayClient;
let project_id: string;
beforeAll(async () => {
  service = await joinSharedService();
  client = createClient({ address: `${service.address}/`, token: () => service.token });
  const workspace = await client.workspaces.create({ name: 'lab', use_case: 'robotic-manipulation' });
  const made = { workspace_id: workspace.id, name: 'arm', target_profile: 'behaviour-cloning' } as const;
  project_id = (await client.projects.create(made)).id;
  await writeTinyRecordings(recordings);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Everything below the recordings, as an upload. */
async function uploaded(): Promise<Source> {
  const source = await client.sources.create({ project_id, kind: 'upload', name: 'sent' });
  const files = readdirSync(recordings, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  for (const file of files) {
    const place = join(file.parentPath, file.name);
    const content = new Blob([readFileSync(place)]);
    const told: number[] = [];
    await client.upload(
      { source_id: source.id, path: place.slice(recordings.length + 1), content },
      { chunk_bytes: 20_000, on_progress: (sent_bytes) => told.push(sent_bytes) },
    );
    expect(told.at(-1)).toBe(content.size);
  }
  return client.sources.complete({ source_id: source.id });
}

describe('the client of a service that runs', () => {
  let run: Run;
  it('uploads recordings, runs them and hears how the run goes on', async () => {
    const source = await uploaded();
    expect(source.state).toBe('ready');
    const plan = await client.runs.plan({ project_id, source_id: source.id });
    run = await client.runs.start({ project_id, source_id: source.id, plan_hash: plan.plan_hash });
    let last = run;
    for await (const told of client.runs.stream({ run_id: run.id }))
      if (told.event === 'run') last = told.data;
    expect(last).toMatchObject({ id: run.id, status: 'succeeded', episodes: { judged: plan.episodes } });
  });

  it('reads lists of any length, answers and bytes', async () => {
    const episodes: EpisodeSummary[] = [];
    for await (const one of all(client.episodes.list, { project_id, sort: 'name', limit: 1 }))
      episodes.push(one);
    expect(episodes.length).toBe((await client.runs.get({ run_id: run.id })).episodes.judged);
    const [{ id: episode_id }] = episodes;
    const asked = await client.ask('get_receipt', { episode_id });
    expect(asked.etag).toBe(`"${asked.value.content_hash}"`);
    expect(await client.askIfChanged('get_receipt', { episode_id }, asked.etag ?? '')).toBeNull();
    const bytes = await (await client.download('get_receipt', { episode_id })).text();
    expect(verifyReceipt(bytes).problems).toEqual([]);
    const { items } = await client.episodes.listStreams({ episode_id });
    const stream = items.find(({ id }) => id.includes('/')) ?? items[0];
    const samples = await client.episodes.getStream({ episode_id, stream_id: stream.id, width_px: 20 });
    expect(samples).toBeTypeOf('object');
  });

  it('reads the files of a report', async () => {
    const page = await client.runs.getReport({ run_id: run.id, file: 'index.html' });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('<html');
  });

  it('throws what the service says', async () => {
    const absent = `run_${'0'.repeat(26)}`;
    const error = await client.runs
      .get({ run_id: absent }, { request_id: 'req_mine' })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AssayApiError);
    expect(error).toMatchObject({ code: 'not_found', status: 404 });
    const wrong = await client.projects.update({ project_id, name: '' }).catch((thrown) => thrown);
    expect(wrong).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/body/name' }] });
    const stranger = createClient({ address: service.address, token: `asy_${'0'.repeat(43)}` });
    await expect(stranger.tenant.whoami()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await createClient({ address: service.address }).service.checkHealth()).toEqual({ status: 'ok' });
  });

  it('does a thing once for one key', async () => {
    const options = { idempotency_key: createHash('sha256').update(project_id).digest('hex') };
    const token = { name: 'once', role: 'viewer' } as const;
    const [first, second] = [
      await client.tenant.createToken(token, options),
      await client.tenant.createToken(token, options),
    ];
    expect(second.id).toBe(first.id);
    expect(await client.tenant.revokeToken({ token_id: first.id })).toBeUndefined();
  });
});
