import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CertificationReport, flatPrices } from '#core/api';
import { x264 } from '#test/support/encode-video';
import { film } from '#test/support/recorded-film';
import { openRunService, type RunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import {
  startVisionServer,
  type VisionAnswer,
  type VisionCall,
  type VisionServer,
} from '#test/support/vision-server';
import {
  type Call,
  enqueueJob,
  getBudget,
  getCertificationReport,
  getCosts,
  getEpisodeAnnotation,
  getJob,
  listAudit,
  setAnnotationSettings,
  setBudget,
  startRun,
} from '../index.ts';

const model = 'Qwen/Qwen3-VL-8B-Instruct';
const sentences = ['A ball moves over a wavy ground.', 'It comes back.'];
/** Judges a statement by what it says: a wrong one names a cat. */
const judgedOf = (texts: readonly string[]) =>
  [...texts.at(-1)!.matchAll(/^(\d+)\. (.*)$/gm)].map(([, statement, said]) => ({
    statement: Number(statement),
    judged: said.includes('cat') ? 'mismatch' : said.includes('back') ? 'unclear' : 'match',
    note: said.includes('cat') ? 'there is a ball and no cat' : 'a ball',
  }));
const usual = ({ schema, texts }: VisionCall): VisionAnswer => {
  if (schema.properties?.judged !== undefined) return { text: JSON.stringify({ judged: judgedOf(texts) }) };
  if (schema.properties?.text !== undefined) return { text: '{"text": "a ball moves to the right"}' };
  return { text: JSON.stringify({ sentences }) };
};

describe('layers that ask a vision endpoint', { timeout: 120_000 }, () => {
  let server: VisionServer;
  let answer: (call: VisionCall, nth: number) => VisionAnswer = usual;
  let service: RunService;
  let project_id: string;
  let episode_id: string;
  let admin: Call;

  beforeAll(async () => {
    const { folder, source } = await film(x264);
    server = await startVisionServer((call, nth) => answer(call, nth));
    service = await openRunService({
      roots: [folder],
      prices: {
        ...flatPrices(0),
        models: { [model]: { prompt_usd_per_mtok: 1000, completion_usd_per_mtok: 2000 } },
      },
      vision_endpoint: { url: server.url, api_key: 'sk-1', model, silence_ms: 5000 },
    });
    ({ project_id } = service);
    admin = callAs('admin', service.call.actor.tenant_id);
    const modes = { captions: 'on_demand', dense_text: 'on_demand' } as const;
    await setAnnotationSettings(service.store, service.call, { project_id, modes });
    const source_id = await service.source(source);
    await service.ended((await startRun(service.store, service.call, { project_id, source_id })).id);
    const { rows } = await service.store.database.query('SELECT id FROM episodes WHERE project_id = $1', [
      project_id,
    ]);
    episode_id = rows[0].id;
  }, 120_000);
  beforeEach(() => {
    answer = usual;
    server.calls.length = 0;
  });
  afterAll(async () => {
    await service.close();
    await server.close();
  });

  type Layer = 'captions' | 'dense_text' | 'annotation_review';
  async function done(layer: Layer, config = {}, force = true) {
    const asked = { project_id, layer, force, config };
    const { job } = await enqueueJob(service.store, service.call, asked);
    for (;;) {
      const now = await getJob(service.store, service.call, { project_id, job_id: job.id });
      if (!['queued', 'running', 'cancelling'].includes(now.status)) return now;
      await wait(20);
    }
  }
  async function artifactOf(layer: Layer) {
    const of = { project_id, episode_id, layer };
    return (await getEpisodeAnnotation(service.store, service.call, of)).machine?.artifact;
  }

  it('show it frames of each window, keep what it says and name it', async () => {
    const job = await done('captions', { window_s: 1, max_words: 5 });
    expect(job).toMatchObject({ status: 'succeeded', model: `self-hosted/vision@${model}` });
    expect(await artifactOf('captions')).toMatchObject({
      composed_by: `self-hosted/vision@${model}`,
      windows: [
        { from_s: 0, text: 'A ball moves to the …', evidence: expect.arrayContaining(['frames']) },
        { from_s: 1, text: 'A ball moves to the …' },
      ],
    });
    expect(server.calls).toHaveLength(2);
    for (const { pictures, authorization, instructions } of server.calls) {
      expect(pictures.map((jpeg) => jpeg.subarray(0, 2).toString('hex'))).toEqual(Array(4).fill('ffd8'));
      expect([authorization, instructions]).toEqual([
        'Bearer sk-1',
        expect.stringContaining('at most 5 words'),
      ]);
    }
  });

  it('describe the whole episode, and do not grade what is not measured', async () => {
    expect(await done('dense_text', { target_words: 50 })).toMatchObject({ status: 'succeeded' });
    expect(await artifactOf('dense_text')).toMatchObject({
      text: sentences.join(' '),
      reason: 'the model wrote less than requested',
      statements: sentences.map((text) => ({ evidence: 'frames', text })),
    });
    expect(server.calls[0].instructions).toMatch(/about 50 words/);
  });

  it('cost what the endpoint counts, reserved before it is asked', async () => {
    const before = await getBudget(service.store, service.call);
    const job = await done('captions', { window_s: 1 });
    // Two calls of 1000 and 50 tokens at 1000 and 2000 dollars a million.
    expect(job).toMatchObject({ prompt_tokens: 2000, completion_tokens: 100, measured_usd: 2.2 });
    expect(job.estimate_usd).toBeGreaterThan(job.measured_usd);
    const after = await getBudget(service.store, service.call);
    expect([after.spent_usd - before.spent_usd, after.reserved_usd]).toEqual([expect.closeTo(2.2, 6), 0]);
    const { items } = await getCosts(
      service.store,
      { ...service.call, now: new Date() },
      { group_by: 'model' },
    );
    expect(items.find(({ key }) => key === job.model)?.amount_usd).toBeGreaterThanOrEqual(2.2);
  });

  it('are refused before anything is asked where the cap leaves no room', async () => {
    const { spent_usd } = await getBudget(service.store, service.call);
    await setBudget(service.store, admin, { cap_usd: spent_usd + 0.01 });
    await expect(done('captions')).rejects.toMatchObject({ code: 'budget_exceeded' });
    expect(server.calls).toEqual([]);
    await setBudget(service.store, admin, { cap_usd: null });
  });

  it('name in the audit log where frames go', async () => {
    const { id } = await done('captions');
    const { items } = await listAudit(service.store, admin, {
      action: 'enqueue_job',
      object_id: id,
      limit: 1,
    });
    expect(items[0].detail).toMatchObject({ frames_to: server.url, frames_for: model });
    expect(JSON.stringify(items)).not.toContain('sk-1');
  });

  it('fail with the reason where it refuses, and pay for what it has taken', async () => {
    answer = () => ({ status: 401, body: '{}' });
    const job = await done('captions');
    expect(job).toMatchObject({ status: 'failed', prompt_tokens: 0 });
    expect(job.failures[0].error).toMatchObject({
      code: 'endpoint_failed',
      message: expect.stringContaining('rejected the API key (HTTP 401)'),
    });
    answer = () => ({ text: 'no JSON' });
    // It is asked again with pauses.
    expect(await done('captions', { window_s: 30 })).toMatchObject({ status: 'failed', prompt_tokens: 4000 });
  });

  it('send nothing where the project chose sentences from measurements', async () => {
    const models = { captioning: 'assay/grammar' };
    await setAnnotationSettings(service.store, service.call, { project_id, models });
    const job = await done('captions');
    expect(job).toMatchObject({ status: 'succeeded', model: 'assay/grammar', prompt_tokens: 0 });
    expect(await artifactOf('captions')).toMatchObject({ composed_by: 'assay/grammar' });
    expect(server.calls).toEqual([]);
    const { items } = await listAudit(service.store, admin, {
      action: 'enqueue_job',
      object_id: job.id,
      limit: 1,
    });
    expect(items[0].detail).not.toHaveProperty('frames_to');
    await setAnnotationSettings(service.store, service.call, { project_id, models: {} });
  });

  describe('and reviews of them', () => {
    const agreementIn = async () => {
      const { json } = await getCertificationReport(service.store, service.call, { project_id });
      const { metrics }: CertificationReport = JSON.parse(Buffer.from(json).toString());
      const found = metrics.find(({ metric }) => metric === 'language.caption_video_agreement');
      return found!.decisions[0];
    };
    const wrongAfter = (count: number) => (call: VisionCall, nth: number) =>
      call.schema.properties?.text !== undefined && nth >= count
        ? { text: '{"text": "a cat sleeps"}' }
        : usual(call);

    it('give no agreement before somebody has looked', async () => {
      answer = wrongAfter(1);
      await done('captions', { window_s: 1 });
      await done('dense_text');
      expect(await agreementIn()).toMatchObject({
        applicability: 'not_assessable',
        reason: expect.stringContaining('annotation_review'),
      });
    });

    it('judge each window beside its frames, and keep what does not agree as receipts', async () => {
      const job = await done('annotation_review', {}, false);
      expect(job).toMatchObject({ status: 'succeeded', model: `self-hosted/vision@${model}` });
      expect(job.measured_usd).toBeCloseTo(1.1 * server.calls.length, 6);
      expect(await artifactOf('annotation_review')).toMatchObject({
        agreement: {
          model: `self-hosted/vision@${model}`,
          windows: [
            { from_s: 0, judged: 'match' },
            { from_s: 1, judged: 'mismatch', note: 'there is a ball and no cat' },
          ],
        },
        layers: expect.arrayContaining([
          expect.objectContaining({
            layer: 'captions',
            verdict: 'bad',
            evidence: [expect.objectContaining({ test: 'seen_in_frames', looked_at: 2, wrong: 1 })],
          }),
          expect.objectContaining({ layer: 'dense_text', verdict: 'good' }),
        ]),
        sampled: expect.arrayContaining([
          expect.objectContaining({
            row: expect.any(Number),
            says: expect.objectContaining({ captions: 'A cat sleeps.' }),
          }),
        ]),
      });
      expect(await agreementIn()).toMatchObject({
        observed: 0.5,
        diagnostics: {
          mismatches: [{ from_s: 1, label: 'A cat sleeps.', reason: 'there is a ball and no cat' }],
        },
      });
    });

    it('are there until a layer is made again, and count no more for other captions', async () => {
      await expect(done('annotation_review', {}, false)).rejects.toMatchObject({ code: 'already_produced' });
      await done('captions', { window_s: 2 });
      expect(await agreementIn()).toMatchObject({
        applicability: 'not_assessable',
        reason: expect.stringContaining('changed after the review'),
      });
      expect(await done('annotation_review', {}, false)).toMatchObject({ status: 'succeeded' });
      expect(await agreementIn()).toMatchObject({ observed: 1 });
    });

    it('are by tests alone where the project chose so: nothing leaves, and nothing is made up', async () => {
      const models = { reviewing: 'assay/review-tests' };
      await setAnnotationSettings(service.store, service.call, { project_id, models });
      server.calls.length = 0;
      expect(await done('annotation_review')).toMatchObject({
        status: 'succeeded',
        model: 'assay/review-tests',
      });
      expect(server.calls).toEqual([]);
      expect(await artifactOf('annotation_review')).toMatchObject({
        agreement: { not_assessable: expect.stringContaining('no vision endpoint') },
        layers: expect.arrayContaining([
          expect.objectContaining({ layer: 'captions', verdict: 'not_assessable' }),
        ]),
        sampled: expect.arrayContaining([expect.objectContaining({ row: expect.any(Number) })]),
      });
      await setAnnotationSettings(service.store, service.call, { project_id, models: {} });
    });
  });
});
