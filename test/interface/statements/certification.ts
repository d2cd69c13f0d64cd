import assert from 'node:assert/strict';
import type {
  AssayClient,
  CertificationPolicyInput,
  CertificationReport,
  Export,
  SavedCertificationPolicy,
} from '#client';
import { canonicalJson, sha256 } from '#core';
import { inSection, projectOnly, refused } from '../statement.ts';
import type { World } from '../world.ts';

const verdicts = ['certified', 'review_required', 'not_ready', 'not_assessable'];

/** The complete report of a project. */
async function fullReport(
  client: AssayClient,
  input: Parameters<AssayClient['certification']['getReport']>[0],
): Promise<CertificationReport> {
  const report = await client.certification.getReport(input);
  assert.ok('episodes' in report);
  return report;
}

/** Saves the bounds of a report as a policy, the first metric's share changed, so that it differs from the one before. */
async function savePolicy({ as, recorded }: World, allowed_share: number): Promise<SavedCertificationPolicy> {
  const { project_id } = await recorded();
  const { metrics, policy } = await fullReport(as.viewer, { project_id });
  const bounds = metrics.map(
    ({ metric, need, unit, direction, ideal, review, allowed_share: share, source }) => ({
      ...{ metric, need, unit, direction, ideal, review, allowed_share: share, source },
    }),
  );
  const input: CertificationPolicyInput = {
    target: policy.target,
    metrics: [{ ...bounds[0], allowed_share }, ...bounds.slice(1)],
  };
  return as.reviewer.certification.createPolicy({ project_id, ...input });
}

/** The manifest of a finished bundle. */
async function manifestOf(client: AssayClient, { project_id, id: export_id }: Export) {
  const answer = await client.exports.getFile({ project_id, export_id, file: 'manifest.json' });
  return (await answer.json()) as { readonly contains_training_data: boolean; readonly origin: string };
}

const resealed = (
  report: CertificationReport,
  changes: Partial<CertificationReport>,
): CertificationReport => {
  const { content_hash, ...rest } = { ...report, ...changes };
  return { ...rest, content_hash: sha256(canonicalJson(rest)) };
};

const reports = inSection('2.12', {
  'The report has one of four verdicts, with coverage beside it': async ({ as, recorded }) => {
    const { verdict, coverage, metrics, policy } = await fullReport(as.viewer, projectOnly(await recorded()));
    assert.ok(verdicts.includes(verdict));
    assert.ok(coverage.share !== null && coverage.share >= 0 && coverage.share <= 1);
    const required = metrics.filter(({ need }) => need === 'required').flatMap(({ decisions }) => decisions);
    const seen = required.filter(({ applicability }) => applicability === 'applicable');
    assert.deepEqual([coverage.decisions, coverage.of], [seen.length, required.length]);
    assert.match(policy.policy_hash, /^[0-9a-f]{64}$/);
  },
  'Each metric shows value, formula, inputs, provenance, confidence, applicability and both boundaries':
    async ({ as, recorded }) => {
      const { metrics } = await fullReport(as.viewer, projectOnly(await recorded()));
      for (const { metric, formula, inputs, ideal, review, decisions } of metrics) {
        assert.ok(
          formula !== '' && inputs !== '' && Number.isFinite(ideal) && Number.isFinite(review),
          metric,
        );
        for (const decision of decisions)
          if (decision.applicability === 'applicable')
            assert.ok(
              Number.isFinite(decision.observed) && decision.provenance !== '' && decision.confidence,
              metric,
            );
      }
    },
  'A missing modality is not_assessable with a reason, never zero or a pass': async ({ as, recorded }) => {
    const { metrics } = await fullReport(as.viewer, projectOnly(await recorded()));
    for (const { metric, decisions } of metrics)
      for (const decision of decisions)
        if (decision.applicability === 'not_assessable')
          assert.ok(decision.verdict === 'not_assessable' && decision.reason !== '', metric);
  },
  'Weak evidence stays review_required whatever the value': async ({ as, recorded }) => {
    const { metrics } = await fullReport(as.viewer, projectOnly(await recorded()));
    for (const { metric, decisions } of metrics)
      for (const decision of decisions)
        if (decision.applicability === 'applicable' && decision.confidence === 'low')
          assert.equal(decision.verdict, 'review_required', metric);
  },
  'Agreement of captions with video and stereo reprojection read not_assessable where nothing measures them':
    async ({ as, recorded }) => {
      const { metrics } = await fullReport(as.viewer, projectOnly(await recorded()));
      for (const id of ['language.caption_video_agreement', 'stereo.reprojection']) {
        const found = metrics.find(({ metric }) => metric === id);
        assert.ok(found !== undefined, id);
        if (found.counts.not_assessable === found.decisions.length)
          assert.ok(found.verdict === 'not_assessable' && found.reason !== '', id);
      }
    },
  'The report never holds media, and says which receipts it rests on': async ({ as, recorded }) => {
    const { episodes } = await fullReport(as.viewer, projectOnly(await recorded()));
    assert.equal(episodes.length, 2);
    assert.ok(episodes.every(({ receipt }) => /^[0-9a-f]{64}$/.test(receipt)));
  },
});

const policies = inSection('4.5', {
  'A changed policy becomes the next version; earlier ones are retained': async (world) => {
    const first = await savePolicy(world, 0.01);
    const second = await savePolicy(world, 0.02);
    assert.equal(second.policy.version, first.policy.version + 1);
    const { project_id } = await world.recorded();
    const { items } = await world.as.viewer.certification.listPolicies({ project_id });
    const kept = items.find(({ policy }) => policy.version === first.policy.version);
    assert.deepEqual(kept?.policy, first.policy);
  },
  'Policies are hashed by content, and the hash is in the audit log': async (world) => {
    const { policy, id } = await savePolicy(world, 0.03);
    const { schema, target, metrics } = policy;
    assert.equal(policy.policy_hash, sha256(canonicalJson({ schema, target, metrics })));
    const { items } = await world.as.admin.audit.list({ action: 'create_certification_policy' });
    assert.ok(JSON.stringify(items).includes(policy.policy_hash), id);
  },
  'Viewers may not change a policy': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const { metrics, policy } = await fullReport(as.viewer, { project_id });
    const [{ metric, need, unit, direction, ideal, review, allowed_share, source }] = metrics;
    const bounds = { metric, need, unit, direction, ideal, review, allowed_share, source };
    const input = { project_id, target: policy.target, metrics: [bounds] };
    await refused(as.viewer.certification.createPolicy(input), 403);
  },
  'A report is made under the policy version that is asked for': async (world) => {
    const { policy } = await savePolicy(world, 0.04);
    const { project_id } = await world.recorded();
    const { version: policy_version } = policy;
    const report = await fullReport(world.as.viewer, { project_id, policy_version });
    assert.deepEqual(
      [report.policy.version, report.policy.policy_hash],
      [policy_version, policy.policy_hash],
    );
  },
  'The export seals a bundle that contains no training data': async (world) => {
    const { policy } = await savePolicy(world, 0.05);
    const { project_id } = await world.recorded();
    const made = await world.as.reviewer.certification.export({ project_id, policy_version: policy.version });
    const manifest = await manifestOf(world.as.viewer, await world.exportEnded(made));
    assert.deepEqual([manifest.contains_training_data, manifest.origin], [false, 'service']);
  },
  'Only admins import a local report, which keeps its origin in the manifest': async (world) => {
    await savePolicy(world, 0.06);
    const { project_id } = await world.recorded();
    const report = await fullReport(world.as.viewer, { project_id });
    await refused(world.as.engineer.certification.importReport({ ...report, project_id }), 403);
    const made = await world.as.admin.certification.importReport({ ...report, project_id });
    const { origin } = await manifestOf(world.as.viewer, await world.exportEnded(made));
    assert.equal(origin, 'local_report_import');
  },
  'A report that does not follow from its own decisions is refused': async ({ as, recorded, send }) => {
    const { project_id } = await recorded();
    const report = await fullReport(as.viewer, { project_id });
    const verdict = report.verdict === 'certified' ? 'not_ready' : 'certified';
    const { status } = await send(
      'POST',
      `/v1/projects/${project_id}/certification/import`,
      resealed(report, { verdict }),
    );
    assert.equal(status, 422);
  },
  'A report of another project, of an unregistered policy, or that was changed is refused': async ({
    as,
    recorded,
    newProject,
    send,
  }) => {
    const { project_id } = await recorded();
    const report = await fullReport(as.viewer, { project_id });
    const elsewhere = await newProject();
    const path = (id: string) => `/v1/projects/${id}/certification/import`;
    const unregistered = resealed(report, { policy: { ...report.policy, policy_hash: sha256('none') } });
    for (const [id, body] of [
      [elsewhere.project_id, report],
      [project_id, unregistered],
      [project_id, { ...report, verdict: 'certified', reason: 'changed' }],
    ] as const) {
      const { status } = await send('POST', path(id), body);
      assert.ok(status === 409 || status === 422, String(status));
    }
  },
});

export const certificationStatements = [...reports, ...policies];
