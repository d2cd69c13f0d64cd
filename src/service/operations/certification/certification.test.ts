import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { canonicalJson, sha256 } from '#core';
import { type CertificationReport, certificationReportSchema, type Export } from '#core/api';
import { defaultPolicy } from '#quality/certification';
import { parsePublicKey, verifyBundle } from '#quality/certification/bundle';
import { temporaryFolder } from '#test/support/lerobot-set';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import { inMemory } from '#test/support/test-bundle';
import {
  createCertificationPolicy,
  deleteExport,
  diffCertificationPolicies,
  downloadExport,
  dryRunCertificationPolicy,
  exportCertification,
  getCertificationReport,
  getExport,
  importCertificationReport,
  listAudit,
  listCertificationKeys,
  listCertificationPolicies,
  rotateCertificationKey,
  startRun,
} from '../index.ts';

let recordings: string;
beforeAll(async () => {
  recordings = await temporaryFolder();
  await writeTeleopLeRobot(join(recordings, 'set'), 3, () => {}, {
    episodes: 4,
    plan: { 2: ['nan', 'medium'] },
  });
}, 120_000);

describe.each(serviceDatabases)('certification over the %s database', (on) => {
  let service: JoinedService;
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [recordings] });
    const source_id = await service.source(join(recordings, 'set'));
    const { id } = await startRun(service.store, service.call, { project_id: service.project_id, source_id });
    expect(await service.ended(id)).toMatchObject({ status: 'succeeded' });
  }, 120_000);

  const project = () => ({ project_id: service.project_id });
  const admin = () => callAs('admin', service.call.actor.tenant_id);
  const { target, metrics } = defaultPolicy('vla');
  const save = (more: object = {}) =>
    createCertificationPolicy(service.store, service.call, { ...project(), target, metrics, ...more });
  const reportOf = async (policy_version?: number): Promise<CertificationReport> => {
    const { json } = await getCertificationReport(service.store, service.call, {
      ...project(),
      policy_version,
    });
    return certificationReportSchema.parse(JSON.parse(Buffer.from(json).toString()));
  };
  const ended = async ({ id }: Export): Promise<Export> => {
    for (;;) {
      const now = await getExport(service.store, service.call, { ...project(), export_id: id });
      if (now.status !== 'queued' && now.status !== 'running') return now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const download = async ({ id }: Export): Promise<Buffer> => {
    const path = { ...project(), export_id: id, as: 'zip' } as const;
    const { body } = await downloadExport(service.store, service.call, path);
    return buffer(body.open(0, body.bytes));
  };

  it('reports under the default policy before one is saved, the same bytes each time', async () => {
    const [one, other] = [await reportOf(), await reportOf()];
    expect(one.policy).toMatchObject({ version: null, policy_hash: defaultPolicy('vla').policy_hash });
    expect(other).toEqual(one);
    expect(one.episodes).toHaveLength(4);
    const { content_hash, ...body } = one;
    expect(content_hash).toBe(sha256(canonicalJson(body)));
  });

  it('gives two policies that are saved at once two versions, and logs their hashes', async () => {
    const saved = await Promise.all([save(), save(), save()]);
    expect(saved.map(({ policy }) => policy.version).sort()).toEqual([1, 2, 3]);
    const { items } = await listCertificationPolicies(service.store, service.call, {
      ...project(),
      limit: 2,
    });
    expect(items.map(({ policy }) => policy.version)).toEqual([3, 2]);
    const log = await listAudit(service.store, admin(), { action: 'create_certification_policy', limit: 10 });
    expect(log.items.map(({ detail }) => detail.policy_hash)).toEqual(
      saved.map(({ policy }) => policy.policy_hash),
    );
  });

  it('refuses a policy that contradicts itself', async () => {
    const wrong = metrics.map((row) =>
      row.direction === 'lower_is_better' ? { ...row, review: row.ideal - 1 } : row,
    );
    await expect(save({ metrics: wrong })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('tells what a policy would change before it is saved, and what it differs in after', async () => {
    const strict = metrics.map((row) => ({ ...row, need: 'required' as const, allowed_share: 0 }));
    const dry = await dryRunCertificationPolicy(service.store, service.call, {
      ...project(),
      target,
      metrics: strict,
    });
    const { policy } = await save({ metrics: strict });
    const report = await reportOf(policy.version);
    expect(dry.after).toEqual({ verdict: report.verdict, coverage: report.coverage.share });
    expect(dry.changed).toBe(dry.changes.length);
    const diff = await diffCertificationPolicies(service.store, service.call, {
      ...project(),
      to: policy.version,
    });
    const expected = metrics.filter(({ need, allowed_share }) => need !== 'required' || allowed_share !== 0);
    expect(diff).toMatchObject({ to: policy.version, target: null });
    expect(diff.metrics.map(({ metric }) => metric)).toEqual(expected.map(({ metric }) => metric));
  });

  it('seals one bundle of the same evidence, which verifies offline, downloads with the same bytes', async () => {
    const order = () => exportCertification(service.store, service.call, { ...project(), policy_version: 1 });
    const both = await Promise.all([order(), order()]);
    expect(both.map(({ found }) => found).sort()).toEqual([false, true]);
    expect(both[0].bundle.id).toBe(both[1].bundle.id);
    const made = await ended(both[0].bundle);
    expect(made).toMatchObject({
      status: 'sealed',
      error: null,
      format: 'certified-bundle',
      source_id: null,
    });
    const bytes = await download(made);
    expect(sha256(await download(made))).toBe(sha256(bytes));
    const { items } = await listCertificationKeys(service.store, service.call);
    const trusted = { key: parsePublicKey(items[0].public_key) };
    expect(items[0]).toMatchObject({ keyid: trusted.key.keyid, place: 'local_file', valid_until: null });
    const verified = await verifyBundle(inMemory(bytes), { trusted, ...project() });
    expect(verified).toMatchObject({
      ok: true,
      receipts: 4,
      manifest: { origin: 'service', contains_training_data: false },
    });
    const { json } = await getCertificationReport(service.store, service.call, {
      ...project(),
      policy_version: 1,
    });
    const listed = verified.manifest?.files.find(({ path }) => path === 'report.json');
    expect(listed?.sha256).toBe(createHash('sha256').update(json).digest('hex'));
    expect((await order()).found).toBe(true);
  });

  it('seals a report that was made elsewhere, and refuses what is not its own', async () => {
    const report = await reportOf(1);
    const send = (one: CertificationReport, who = admin()) =>
      importCertificationReport(service.store, who, { ...project(), report: one });
    await expect(send(report, service.call)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(send({ ...report, project_id: null })).rejects.toMatchObject({
      code: 'report_project_mismatch',
    });
    await expect(send({ ...report, verdict: 'certified', reason: 'because' })).rejects.toMatchObject({
      code: 'hash_mismatch',
    });
    const { content_hash: _, ...body } = {
      ...report,
      policy: { ...report.policy, policy_hash: 'ab'.repeat(32) },
    };
    const other = { ...body, content_hash: sha256(canonicalJson(body)) };
    await expect(send(other)).rejects.toMatchObject({ code: 'policy_not_registered' });
    const { bundle, found } = await send(report);
    expect(found).toBe(false);
    const made = await ended(bundle);
    expect(made).toMatchObject({ status: 'sealed', certification: { origin: 'local_report_import' } });
    const verified = await verifyBundle(inMemory(await download(made)), project());
    expect(verified).toMatchObject({ ok: true, receipts: 0, manifest: { origin: 'local_report_import' } });
    expect(await send(report)).toMatchObject({ found: true, bundle: { id: made.id } });
  });

  it('keeps old public keys when the key is replaced, and signs with the new one', async () => {
    const before = await listCertificationKeys(service.store, service.call);
    const replaced = await rotateCertificationKey(service.store, admin());
    const after = await listCertificationKeys(service.store, service.call);
    expect(after.items).toHaveLength(before.items.length + 1);
    expect(after.items.find(({ keyid }) => keyid === before.items[0].keyid)?.valid_until).not.toBeNull();
    const { bundle } = await exportCertification(service.store, service.call, {
      ...project(),
      policy_version: 2,
    });
    const verified = await verifyBundle(inMemory(await download(await ended(bundle))), {
      trusted: { keyid: replaced.keyid },
    });
    expect(verified).toMatchObject({ ok: true, keyid: replaced.keyid });
  });

  it('makes a bundle anew that was deleted', async () => {
    const order = () => exportCertification(service.store, service.call, { ...project(), policy_version: 3 });
    const made = await ended((await order()).bundle);
    await deleteExport(service.store, admin(), { ...project(), export_id: made.id });
    const again = await order();
    expect(again.found).toBe(false);
    expect(await ended(again.bundle)).toMatchObject({ status: 'sealed', seal: made.seal });
  });
});
