import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { temporaryFolder } from '#test/support/lerobot-set';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import {
  createReview,
  listAudit,
  listEpisodes,
  listReviews,
  startRun,
  summariseProject,
  withdrawReview,
} from '../index.ts';

let recordings: string;
beforeAll(async () => {
  recordings = await temporaryFolder();
  await writeTeleopLeRobot(join(recordings, 'set'), 3, () => {}, { episodes: 1, plan: {} });
}, 120_000);

describe.each(serviceDatabases)('reviews on the %s database', (on) => {
  let service: JoinedService;
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [recordings] });
    const { store, call, project_id } = service;
    const source_id = await service.source(join(recordings, 'set'));
    const { id } = await startRun(store, call, { project_id, source_id });
    expect(await service.ended(id)).toMatchObject({ status: 'succeeded' });
  }, 120_000);

  it('leave the review before in effect when they are withdrawn, and none after the first', async () => {
    const { store, call, project_id } = service;
    const reviewer = callAs('reviewer', call.actor.tenant_id);
    const episode = async () =>
      (await listEpisodes(store, call, { project_id, sort: 'name', limit: 1 })).items[0];
    const { id: episode_id, decision } = await episode();
    const summary = async () => {
      const { worst: _, ...counts } = await summariseProject(store, call, { project_id });
      return counts;
    };
    const before = await summary();
    const review = (to: 'accept' | 'reject') =>
      createReview(store, reviewer, { episode_id, decision: to, note: '' });
    const [first, second] = [await review('accept'), await review('reject')];
    expect((await summary()).effective_decisions).toEqual({ accept: 0, review: 0, reject: 1 });
    const withdraw = ({ id: review_id }: typeof first) =>
      withdrawReview(store, reviewer, { episode_id, review_id });
    const withdrawn = await withdraw(second);
    expect(withdrawn).toMatchObject({ id: second.id, withdrawn_by: second.created_by });
    expect(await episode()).toMatchObject({ review_decision: 'accept', reviewed_at: first.created_at });
    expect(await withdraw(second)).toEqual(withdrawn);
    await withdraw(first);
    expect(await episode()).toMatchObject({ decision, review_decision: null, reviewed_at: null });
    expect(await summary()).toEqual(before);
    const { items } = await listReviews(store, call, { episode_id, limit: 10 });
    expect(items.map(({ id, withdrawn_at }) => [id, withdrawn_at !== null])).toEqual([
      [second.id, true],
      [first.id, true],
    ]);
    const audit = await listAudit(store, callAs('admin', call.actor.tenant_id), { limit: 50 });
    expect(audit.items.filter(({ action }) => action === 'withdraw_review')).toHaveLength(2);
  });

  it('are withdrawn by reviewers only, and only from their own episode', async () => {
    const { store, call, project_id } = service;
    const [{ id: episode_id }] = (await listEpisodes(store, call, { project_id, sort: 'name', limit: 1 }))
      .items;
    const of = { episode_id, review_id: 'rev_00000000000000000000000000' };
    await expect(withdrawReview(store, callAs('viewer', call.actor.tenant_id), of)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(withdrawReview(store, callAs('reviewer', call.actor.tenant_id), of)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
