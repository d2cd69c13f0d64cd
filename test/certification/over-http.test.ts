import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import type { CertificationReport, CertificationSummary, ListedDecision, Role } from '#core/api';
import { defaultPolicy } from '#quality/certification';
import { verifyBundle } from '#quality/certification/bundle';
import { verifyBundleCommand } from '../../src/apps/cli/commands/recordings/verify-bundle.ts';
import { type ContractService, joinContractService } from '../support/contract-service.ts';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { forgedReport, inMemory } from '../support/test-bundle.ts';

let service: ContractService;
let certification: string;
let exportsPath: string;

interface Sent {
  readonly role?: Role;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request and reads what it answers as JSON. */
async function ask(method: string, path: string, { role = 'admin', body, headers }: Sent = {}) {
  const answer = await fetch(`${service.address}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.tenants[0].tokens[role]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests pick members of an answer
  const json: any = text === '' ? null : JSON.parse(text);
  return { status: answer.status, etag: answer.headers.get('etag'), text, json };
}

/** Asks until what is asked for has ended. */
async function ended(path: string) {
  for (;;) {
    const { json } = await ask('GET', path);
    if (json.status !== 'queued' && json.status !== 'running') return json;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const { target, metrics } = defaultPolicy('vla');
const reportNow = async (query = ''): Promise<CertificationReport> =>
  (await ask('GET', `${certification}/report${query}`)).json;

beforeAll(async () => {
  service = await joinContractService();
  const workspace = await ask('POST', '/v1/workspaces', {
    body: { name: 'lab', use_case: 'robotic-manipulation' },
  });
  const project = await ask('POST', '/v1/projects', {
    body: { workspace_id: workspace.json.id, name: 'arms', target_profile: 'vla' },
  });
  const path = `/v1/projects/${project.json.id}`;
  certification = `${path}/certification`;
  exportsPath = `${path}/exports`;
  const source = await ask('POST', `${path}/sources`, {
    body: { kind: 'folder', path: service.recordings },
  });
  const run = await ask('POST', `${path}/runs`, { body: { source_id: source.json.id } });
  expect(await ended(`/v1/runs/${run.json.id}`)).toMatchObject({ status: 'succeeded' });
  const saved = await ask('POST', `${certification}/policies`, { body: { target, metrics } });
  expect(saved.status).toBe(201);
}, 240_000);
afterAll(() => service?.close());

describe('a certification report that is imported', () => {
  /** Metrics with one changed; the first that has evidence is number `assessed`. */
  const changed = (report: CertificationReport, place: number, change: object) =>
    report.metrics.map((metric, i) => (i === place ? { ...metric, ...change } : metric));
  const assessed = ({ metrics: rows }: CertificationReport) =>
    rows.findIndex(
      ({ observed, decisions }) => observed !== null && decisions[0].verdict !== 'not_assessable',
    );
  const decided = (report: CertificationReport, change: object) => {
    const place = assessed(report);
    const [first, ...rest] = report.metrics[place].decisions;
    return { metrics: changed(report, place, { decisions: [{ ...first, ...change }, ...rest] }) };
  };
  const other = (verdict: string) => (verdict === 'certified' ? 'review_required' : 'certified');

  const forgeries: readonly (readonly [
    what: string,
    forge: (report: CertificationReport) => object,
    pointer: RegExp,
  ])[] = [
    ['verdict', ({ verdict }) => ({ verdict: other(verdict) }), /^\/body\/verdict$/],
    ['reason', () => ({ reason: 'all is well' }), /^\/body\/reason$/],
    ['coverage', () => ({ coverage: { decisions: 9, of: 9, share: 1 } }), /^\/body\/coverage$/],
    ['evidence', () => ({ evidence: { decisions: 9, of: 9, share: 1 } }), /^\/body\/evidence$/],
    ['limits', () => ({ limits: [] }), /^\/body\/limits$/],
    [
      'verdict of an episode',
      ({ episodes: [first, ...rest] }) => ({
        episodes: [{ ...first, verdict: other(first.verdict) }, ...rest],
      }),
      /^\/body\/episodes\/0\/verdict$/,
    ],
    ['list of episodes', ({ episodes }) => ({ episodes: episodes.slice(1) }), /^\/body\/dataset\/episodes$/],
    [
      'receipt',
      ({ episodes: [first, ...rest] }) => ({ episodes: [{ ...first, receipt: 'ab'.repeat(32) }, ...rest] }),
      /^\/body\/dataset\/receipts_sha256$/,
    ],
    ['list of metrics', (report) => ({ metrics: report.metrics.slice(1) }), /^\/body\/metrics\/0\/metric$/],
    [
      'verdict of a metric',
      (report) => ({
        metrics: changed(report, assessed(report), {
          verdict: other(report.metrics[assessed(report)].verdict),
        }),
      }),
      /^\/body\/metrics\/\d+\/verdict$/,
    ],
    [
      'need of a metric',
      (report) => ({ metrics: changed(report, assessed(report), { need: 'advisory', ideal: 1e6 }) }),
      /^\/body\/metrics\/\d+\/(need|ideal)$/,
    ],
    [
      'number of not ready episodes',
      (report) => ({
        metrics: changed(report, 1, {
          counts: { certified: 2, review_required: 0, not_ready: 0, not_assessable: 9 },
        }),
      }),
      /^\/body\/metrics\/1\/counts$/,
    ],
    [
      'formula',
      (report) => ({ metrics: changed(report, 0, { formula: 'always 1' }) }),
      /^\/body\/metrics\/0\/formula$/,
    ],
    [
      'verdict of a decision',
      (report) => decided(report, { confidence: 'low', verdict: 'certified' }),
      /\/verdict$/,
    ],
    [
      'observed value',
      (report) => decided(report, { observed: 1e12, confidence: 'low', verdict: 'review_required' }),
      /\/(counts|observed)$/,
    ],
    [
      'episode of a decision',
      (report) => decided(report, { episode: 'another' }),
      /\/decisions\/0\/episode$/,
    ],
    [
      'target',
      (report) => ({ policy: { ...report.policy, target: 'detector' } }),
      /^\/body\/policy\/target$/,
    ],
  ];

  it.each(forgeries)(
    'is refused for another %s, although its content hash fits',
    async (_, forge, pointer) => {
      const report = await reportNow();
      const forged = forgedReport(report, forge(report));
      const { status, json } = await ask('POST', `${certification}/import`, { body: forged });
      expect([status, json.code], JSON.stringify(json).slice(0, 500)).toEqual([422, 'verification_failed']);
      expect(json.errors[0].pointer).toMatch(pointer);
      expect(json.detail).toContain('the report does not follow from its own decisions: ');
    },
  );

  it('is refused for a policy version that has another hash, and for text that no JSON can hash', async () => {
    const report = await reportNow();
    const version = forgedReport(report, { policy: { ...report.policy, version: 77 } });
    expect(await ask('POST', `${certification}/import`, { body: version })).toMatchObject({
      status: 409,
      json: { code: 'policy_not_registered' },
    });
    const surrogate = { ...report, reason: 'lone \ud800 surrogate' };
    expect((await ask('POST', `${certification}/import`, { body: surrogate })).status).toBe(422);
  });

  it('is sealed as imported, without receipts, and verifies as such', async () => {
    const sent = await ask('POST', `${certification}/import`, { body: await reportNow() });
    expect(sent.status).toBe(202);
    const path = `${exportsPath}/${sent.json.id}`;
    expect(await ended(path)).toMatchObject({
      status: 'sealed',
      certification: { origin: 'local_report_import' },
    });
    const answer = await fetch(`${service.address}${path}/download?as=zip`, {
      headers: { authorization: `Bearer ${service.tenants[0].tokens.viewer}` },
    });
    const zip = Buffer.from(await answer.arrayBuffer());
    expect(await verifyBundle(inMemory(zip))).toMatchObject({ ok: true, problems: [], receipts: 0 });
    expect(zip.includes('<strong>Imported report.</strong>')).toBe(true);
    const file = join(await temporaryFolder(), 'bundle.zip');
    writeFileSync(file, zip);
    const out: string[] = [];
    const signal = new AbortController().signal;
    const io = { out: async (text: string) => void out.push(text), note: () => {}, signal };
    expect(await verifyBundleCommand(file, {}, { ...io, live: false, columns: 110, colours: false })).toBe(0);
    expect(out.join('')).toContain('IMPORTED REPORT, without receipts');
  });
});

describe('coverage', () => {
  it('is the share of the required decisions that had evidence, with all evidence beside it', async () => {
    const report = await reportNow();
    const count = (needs: readonly string[]) => {
      const decisions = report.metrics
        .filter(({ need }) => needs.includes(need))
        .flatMap(({ decisions: rows }) => rows);
      const seen = decisions.filter(({ applicability }) => applicability === 'applicable').length;
      return { decisions: seen, of: decisions.length, share: Number((seen / decisions.length).toFixed(6)) };
    };
    const close = ({ share }: { share: number | null }) => expect.closeTo(share ?? -1, 5);
    const [required, counted] = [count(['required']), count(['required', 'if_present'])];
    expect(report.coverage).toEqual({ ...required, share: close(required) });
    expect(report.evidence).toEqual({ ...counted, share: close(counted) });
    expect(report.coverage.of).toBeLessThan(report.evidence.of);
  });

  it('is null under a policy that requires nothing', async () => {
    const optional = metrics.map((row) => ({ ...row, need: 'if_present' }));
    const { status, json } = await ask('POST', `${certification}/policies/dry-run`, {
      body: { target, metrics: optional },
    });
    expect([status, json.after.coverage]).toEqual([200, null]);
  });
});

describe('a report in parts', () => {
  it('has a summary without decisions and episodes, with an ETag of its own', async () => {
    const report = await reportNow();
    const full = await ask('GET', `${certification}/report`, { role: 'viewer' });
    const { etag, json } = await ask('GET', `${certification}/report?detail=summary`, { role: 'viewer' });
    const summary: CertificationSummary = json;
    expect(summary).toMatchObject({
      schema: 'assay/certification-report-summary/v1',
      verdict: report.verdict,
      coverage: report.coverage,
      content_hash: report.content_hash,
    });
    expect(Object.values(summary.episode_counts).reduce((a, b) => a + b)).toBe(report.episodes.length);
    expect(summary).not.toHaveProperty('episodes');
    expect(summary.metrics).toEqual(report.metrics.map(({ decisions: _, ...rest }) => rest));
    expect(etag).not.toBe(full.etag);
    const headers = { 'if-none-match': etag ?? '' };
    expect((await ask('GET', `${certification}/report?detail=summary`, { headers })).status).toBe(304);
    expect((await ask('GET', `${certification}/report`, { headers })).status).toBe(200);
    expect((await ask('GET', `${certification}/report?detail=some`)).status).toBe(422);
  });

  it('lists its decisions page by page, and by metric, verdict and episode', async () => {
    const report = await reportNow();
    const all = report.metrics.flatMap(({ metric, decisions }) =>
      decisions.map((decision) => ({ metric, ...decision })),
    );
    const pages = async (query: string): Promise<ListedDecision[]> => {
      const items: ListedDecision[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, json } = await ask('GET', `${certification}/report/decisions?${query}${more}`);
        expect(status, JSON.stringify(json)).toBe(200);
        items.push(...json.items);
        cursor = json.next_cursor;
      }
      return items;
    };
    expect(await pages('limit=5')).toEqual(all);
    const [{ metric, verdict, episode }] = all;
    expect(await pages(`metric=${metric}`)).toEqual(all.filter((one) => one.metric === metric));
    expect(await pages(`verdict=${verdict}&limit=3`)).toEqual(all.filter((one) => one.verdict === verdict));
    expect(await pages(`episode=${encodeURIComponent(episode)}&limit=7`)).toEqual(
      all.filter((one) => one.episode === episode),
    );
  });

  it('refuses a cursor of a report under another policy', async () => {
    const { json } = await ask('GET', `${certification}/report/decisions?limit=1`);
    const stricter = metrics.map((row) => ({ ...row, allowed_share: 0 }));
    const saved = await ask('POST', `${certification}/policies`, { body: { target, metrics: stricter } });
    const { version } = saved.json.policy;
    const path = `${certification}/report/decisions?policy_version=${version}&limit=1`;
    const stale = await ask('GET', `${path}&cursor=${encodeURIComponent(json.next_cursor)}`);
    expect(stale).toMatchObject({ status: 422, json: { errors: [{ pointer: '/query/cursor' }] } });
    expect((await ask('GET', path)).status).toBe(200);
  });
});

describe('policies', () => {
  const revalidated = async (path: string) => {
    const { etag, status } = await ask('GET', path, { role: 'viewer' });
    expect([status, etag]).toEqual([200, expect.stringMatching(/^"/)]);
    return (await ask('GET', path, { headers: { 'if-none-match': etag ?? '' } })).status;
  };

  it('have a default for each target, which can be saved', async () => {
    const own = await ask('GET', `${certification}/policies/default`);
    expect(own.json).toEqual(defaultPolicy('vla'));
    const path = `${certification}/policies/default?target=detector`;
    expect((await ask('GET', path)).json).toEqual(defaultPolicy('detector'));
    expect(await revalidated(path)).toBe(304);
    expect((await ask('GET', `${certification}/policies/default?target=poet`)).status).toBe(422);
    const { schema: _, version, policy_hash, ...input } = own.json;
    const saved = await ask('POST', `${certification}/policies`, { body: input });
    expect([version, saved.json.policy.policy_hash]).toEqual([null, policy_hash]);
  });

  it('are read one by one, and revalidated by their ETag', async () => {
    const { json: list } = await ask('GET', `${certification}/policies`);
    const first = list.items.at(-1);
    const path = `${certification}/policies/versions/${first.policy.version}`;
    expect((await ask('GET', path, { role: 'viewer' })).json).toEqual(first);
    for (const each of [path, `${certification}/policies`, `${certification}/policies/diff?from=1&to=2`])
      expect(await revalidated(each)).toBe(304);
    expect(await ask('GET', `${certification}/policies/versions/9999`)).toMatchObject({
      status: 404,
      json: { code: 'not_found' },
    });
    expect((await ask('GET', `${certification}/policies/versions/none`)).status).toBe(404);
  });
});

it('hashes forgeries as a forger would', async () => {
  const { content_hash, ...body } = await reportNow();
  expect(sha256(canonicalJson(body))).toBe(content_hash);
});
