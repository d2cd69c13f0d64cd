import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { newId } from '#core';
import { temporaryFolder } from '#test/support/lerobot-set';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import { listAudit, listEpisodes, startRun, updateEpisode } from '../index.ts';

let recordings: string;
beforeAll(async () => {
  recordings = await temporaryFolder();
  await writeTeleopLeRobot(join(recordings, 'set'), 3, () => {}, { episodes: 2, plan: {} });
}, 120_000);

describe.each(serviceDatabases)('tags of an episode on the %s database', (on) => {
  let service: JoinedService;
  let source_id: string;
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [recordings] });
    source_id = await service.source(join(recordings, 'set'));
    await judge();
  }, 120_000);

  const judge = async () => {
    const { store, call, project_id } = service;
    const { id } = await startRun(store, call, { project_id, source_id });
    expect(await service.ended(id)).toMatchObject({ status: 'succeeded' });
  };
  const listed = async () => {
    const { store, call, project_id } = service;
    return (await listEpisodes(store, call, { project_id, sort: 'name', limit: 10 })).items;
  };

  it('are a reviewer’s to set, once each, outlive a run, and are audited where they change', async () => {
    const { store, call } = service;
    const reviewer = callAs('reviewer', call.actor.tenant_id);
    const [{ id: episode_id }] = await listed();
    const set = (tags: string[]) => updateEpisode(store, reviewer, { episode_id, tags });
    expect((await set(['night', 'glare', 'night'])).tags).toEqual(['glare', 'night']);
    await set(['night', 'glare']);
    await judge();
    expect((await listed()).map(({ tags }) => tags)).toEqual([['glare', 'night'], []]);
    const { items } = await listAudit(store, callAs('admin', call.actor.tenant_id), { limit: 50 });
    expect(items.filter(({ action }) => action === 'update_episode')).toHaveLength(1);
    await expect(
      updateEpisode(store, callAs('viewer', call.actor.tenant_id), { episode_id, tags: [] }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      updateEpisode(store, callAs('admin', newId('tnt')), { episode_id, tags: [] }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
