import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { ask } from '#test/support/search/described-project';
import { serviceDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../../bench/lerobot/generate-set.ts';
import { getRun } from '../runs/manage-runs.ts';
import { startRun } from '../runs/start-run.ts';
import { searchProject } from './search-project.ts';

describe.each(serviceDatabases)('a run on the %s database', { timeout: 120_000 }, (on) => {
  const place = mkdtempSync(join(tmpdir(), 'assay-test-search-run-'));
  let service: JoinedService;
  beforeAll(async () => {
    mkdirSync(join(place, 'set'));
    await generateNumericSet(join(place, 'set'), 12);
    service = await joinRunService({ on, roots: [place] });
  }, 60_000);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('describes its episodes and their moments, again in place of before', async () => {
    const { store, call, project_id } = service;
    for (let round = 0; round < 2; round++) {
      const source_id = await service.source(join(place, 'set'));
      const { id } = await startRun(store, call, { project_id, source_id });
      for (;;) {
        const { status } = await getRun(store, call, { run_id: id });
        if (status === 'succeeded') break;
        expect(['queued', 'running']).toContain(status);
        await pause(50);
      }
    }
    const list = await searchProject(store, call, { project_id, limit: 50, ...ask({ filter: {} }) });
    const [{ episode }] = list.items;
    const rank = { by: 'like', episode_id: episode.id };
    const near = await searchProject(store, call, { project_id, limit: 50, ...ask({ rank }) });
    expect(near.coverage.ranked).toBe(list.items.length - 1);
    const moment = { from_s: 0, to_s: 2 };
    const at = await searchProject(store, call, {
      project_id,
      limit: 50,
      ...ask({ rank: { ...rank, moment } }),
    });
    expect(at.ranked_by?.moment?.from_s).toBe(0);
    expect(at.items[0].moment).not.toBeNull();
    const pictures = ask({ rank: { ...rank, descriptor: 'picture' } });
    await expect(searchProject(store, call, { project_id, limit: 50, ...pictures })).rejects.toThrow(
      /no images/,
    );
  });
});
