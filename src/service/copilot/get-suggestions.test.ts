import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#core';
import { createProject, createWorkspace } from '#service/operations';
import { callAs } from '#test/support/service-call';
import { openTestStore, type TestStore } from '#test/support/service-store';
import { getSuggestions } from './get-suggestions.ts';

describe('suggestions', { timeout: 60_000 }, () => {
  const admin = callAs('admin');
  let store: TestStore;
  let theirs: string;
  beforeAll(async () => {
    store = await openTestStore();
  }, 60_000);
  afterAll(() => store.close());

  it('of an empty project begin with recordings', async () => {
    const { id: workspace_id } = await createWorkspace(store, admin, {
      ...{ name: 'new lab', use_case: 'robotic-manipulation' },
    });
    const empty = await createProject(store, admin, { workspace_id, name: 'new', target_profile: 'vla' });
    theirs = empty.id;
    const { suggestions } = await getSuggestions(store, admin, { project_id: empty.id });
    expect(suggestions.map(({ id }) => id)).toEqual(['register_source']);
  });

  it('without a project tell how to begin, and know no project of another tenant', async () => {
    const stranger = callAs('viewer');
    const { project_id: none, suggestions } = await getSuggestions(store, stranger, {});
    expect([none, suggestions.map(({ id }) => id)]).toEqual([null, ['first_project']]);
    for (const id of [theirs, newId('prj')])
      await expect(getSuggestions(store, stranger, { project_id: id })).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});
