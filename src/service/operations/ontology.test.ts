import { describe, expect, it } from 'vitest';
import { addEpisodes } from '#test/support/episode-rows';
import { joinRunService } from '#test/support/run-service';
import { serviceDatabases } from '#test/support/service-store';
import { getOntologySummary, setOntologySummary } from './index.ts';

describe.each(serviceDatabases)('the classes of a project on the %s database', { timeout: 60_000 }, (on) => {
  it('are not changed if their summary is refused', async () => {
    const { store, call, project_id } = await joinRunService({ on, roots: [] });
    await addEpisodes(store, call.actor.tenant_id, project_id, [{ objects: ['cup'] }]);
    const rename = () => setOntologySummary(store, call, { project_id, renames: { cup: 'mug' } });
    const setEpisodes = (episodes: number) =>
      store.database.query('UPDATE project_counts SET episodes = $1 WHERE project_id = $2', [
        episodes,
        project_id,
      ]);
    await setEpisodes(100_001);
    await expect(rename()).rejects.toMatchObject({ code: 'limit_exceeded' });
    await setEpisodes(1);
    expect(await getOntologySummary(store, call, { project_id })).toMatchObject({ renames: {} });
    expect(await rename()).toMatchObject({
      renames: { cup: 'mug' },
      classes: [{ name: 'mug', found_as: ['cup'], episodes: 1 }],
    });
  });
});
