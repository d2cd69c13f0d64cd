import assert from 'node:assert/strict';
import { type AnnotationJob, type AssayClient, all, type JobLayerId } from '#client';
import { inSection, refused } from '../statement.ts';
import type { World } from '../world.ts';

/** Runs the metadata layer on all episodes again, and waits for its end. */
async function runMetadata({ as, recorded, jobEnded }: World): Promise<AnnotationJob> {
  const { project_id } = await recorded();
  return jobEnded(await as.engineer.annotationJobs.enqueue({ project_id, layer: 'metadata', force: true }));
}

/** Layers that need no model, so that any service can run them. */
const withoutModels = ['segments', 'captions', 'optical_flow'] as const;

/** The first layer that runs here and that no episode carries yet. */
async function uncoveredLayer(client: AssayClient, project_id: string): Promise<JobLayerId | undefined> {
  const { layers } = await client.annotation.getStatus({ project_id });
  return withoutModels.find((id) =>
    layers.some(
      ({ layer, available, covered_episodes, state }) =>
        layer === id && available && covered_episodes === 0 && state !== 'inapplicable' && state !== 'off',
    ),
  );
}

const creation = inSection('3.2', {
  'An accepted job is answered with 202 and its record': async ({ recorded, send, jobEnded }) => {
    const { project_id } = await recorded();
    const path = `/v1/projects/${project_id}/annotation/jobs`;
    const { status, body } = await send('POST', path, { layer: 'metadata', force: true });
    assert.equal(status, 202, JSON.stringify(body));
    const job = body as AnnotationJob;
    assert.deepEqual([job.layer, job.project_id], ['metadata', project_id]);
    await jobEnded(job);
  },
  'A queued or running job of the same project and layer is returned, not duplicated': async ({
    as,
    recorded,
    jobEnded,
  }) => {
    const { project_id } = await recorded();
    const enqueue = () => as.engineer.annotationJobs.enqueue({ project_id, layer: 'metadata', force: true });
    const [first, second] = (await Promise.all([enqueue(), enqueue()])).toSorted((a, b) =>
      a.created_at < b.created_at ? -1 : 1,
    );
    const { finished_at } = await jobEnded(first);
    if (first.id === second.id) return undefined;
    assert.ok(finished_at !== null && finished_at <= second.created_at, 'two jobs were open at once');
    await jobEnded(second);
    return 'the first job ended before the second was requested';
  },
  'Recordings that already carry the output are refused with 409 that names them, unless force is true':
    async (world) => {
      await runMetadata(world);
      const { project_id } = await world.recorded();
      const enqueue = world.as.engineer.annotationJobs.enqueue({ project_id, layer: 'metadata' });
      const { code, details } = await refused(enqueue, 409);
      assert.equal(code, 'already_produced');
      const found = details.already_produced as { readonly recordings?: readonly unknown[] };
      assert.equal(found.recordings?.length, 2);
      assert.equal((await runMetadata(world)).status, 'succeeded');
    },
  'With partial coverage the job is narrowed to the recordings that need it': async ({
    as,
    recorded,
    jobEnded,
  }) => {
    const { project_id, episode_ids } = await recorded();
    const layer = await uncoveredLayer(as.viewer, project_id);
    if (layer === undefined) return 'every layer that runs without a model is already covered';
    await as.engineer.episodeAnnotations.annotate({ project_id, episode_id: episode_ids[0], layer });
    const job = await as.engineer.annotationJobs.enqueue({ project_id, layer });
    assert.deepEqual([job.episodes.total, job.narrowed_from], [1, 2]);
    await jobEnded(job);
    return undefined;
  },
  'An estimate that would breach the weekly cap is refused with 402': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const input = { project_id, layer: 'metadata', force: true } as const;
    const { estimate_usd } = await as.engineer.annotationJobs.preview(input);
    if (estimate_usd === 0) return 'compute time has no price on this service';
    const { cap_usd } = await as.viewer.budget.get();
    await as.admin.budget.set({ cap_usd: 0 });
    try {
      assert.equal((await refused(as.engineer.annotationJobs.enqueue(input), 402)).code, 'budget_exceeded');
    } finally {
      await as.admin.budget.set({ cap_usd });
    }
    return undefined;
  },
  'A layer that is off is refused with 409 that names the setting': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const { project_modes } = await as.viewer.annotation.getSettings({ project_id });
    await as.engineer.annotation.setSettings({ project_id, modes: { ...project_modes, segments: 'off' } });
    try {
      const error = await refused(as.engineer.annotationJobs.enqueue({ project_id, layer: 'segments' }), 409);
      assert.match(`${error.message} ${error.advice}`, /segments/);
      assert.match(`${error.message} ${error.advice}`, /annotation\/settings|modes/);
    } finally {
      await as.engineer.annotation.setSettings({ project_id, modes: project_modes });
    }
  },
  'The layer that is not deployed is refused with 422': async ({ recorded, send }) => {
    const { project_id } = await recorded();
    const path = `/v1/projects/${project_id}/annotation/jobs`;
    assert.equal((await send('POST', path, { layer: 'representation_3d' })).status, 422);
  },
  'A cancelled job keeps the work that is finished': async ({ as, recorded, jobEnded }) => {
    const { project_id, episode_ids } = await recorded();
    const [episode_id] = episode_ids;
    await as.engineer.episodeAnnotations.annotate({ project_id, episode_id, layer: 'metadata', force: true });
    const job = await as.engineer.annotationJobs.enqueue({ project_id, layer: 'metadata', force: true });
    const cancelled = await as.engineer.annotationJobs
      .cancel({ project_id, job_id: job.id })
      .catch(() => jobEnded(job));
    const { status } = await jobEnded(cancelled);
    assert.ok(['cancelled', 'succeeded', 'partial'].includes(status), status);
    const { machine } = await as.viewer.episodeAnnotations.get({ project_id, episode_id, layer: 'metadata' });
    assert.ok(machine !== null);
  },
});

const reading = inSection('4.2', {
  'The jobs of a project can be listed and read': async (world) => {
    const { project_id, id } = await runMetadata(world);
    const ids: string[] = [];
    for await (const job of all(world.as.viewer.annotationJobs.list, { project_id })) ids.push(job.id);
    assert.ok(ids.includes(id));
    assert.equal((await world.as.viewer.annotationJobs.get({ project_id, job_id: id })).id, id);
  },
  'The progress of jobs is streamed, first a snapshot': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    for await (const { event } of as.viewer.annotationJobs.stream({ project_id })) {
      assert.equal(event, 'snapshot');
      break;
    }
  },
  'A layer runs on one episode synchronously': async ({ as, recorded }) => {
    const { project_id, episode_ids } = await recorded();
    const input = { project_id, episode_id: episode_ids[0], layer: 'metadata', force: true } as const;
    const { machine } = await as.engineer.episodeAnnotations.annotate(input);
    assert.ok(machine !== null && machine.bytes > 0);
  },
  'Reviewers edit dense text, viewers do not': async ({ as, recorded }) => {
    const { project_id, episode_ids } = await recorded();
    const input = { project_id, episode_id: episode_ids[0], layer: 'dense_text' } as const;
    const text = 'The arm picks up the cup.';
    assert.equal((await as.reviewer.episodeAnnotations.editDenseText({ ...input, text })).edit?.text, text);
    await refused(as.viewer.episodeAnnotations.editDenseText({ ...input, text: 'no' }), 403);
  },
});

const review = inSection('2.10', {
  'A review records a verdict per layer with evidence, or not_assessable with a reason': async ({
    as,
    recorded,
    jobEnded,
  }) => {
    const { project_id, episode_ids } = await recorded();
    const layer = 'annotation_review';
    const job = await as.engineer.annotationJobs.enqueue({ project_id, layer, force: true });
    assert.equal((await jobEnded(job)).status, 'succeeded');
    const { machine } = await as.viewer.episodeAnnotations.get({
      project_id,
      episode_id: episode_ids[0],
      layer,
    });
    const reviewed = machine?.artifact?.layers as
      | readonly { verdict: string; evidence: readonly unknown[]; not_held: readonly { reason: string }[] }[]
      | undefined;
    assert.ok(reviewed !== undefined && reviewed.length > 0, 'no layer was reviewed');
    for (const { verdict, evidence, not_held } of reviewed)
      if (verdict === 'not_assessable') assert.ok(not_held.every(({ reason }) => reason !== ''));
      else assert.ok(evidence.length > 0);
  },
});

export const jobStatements = [...creation, ...reading, ...review];
