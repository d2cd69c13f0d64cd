import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeTextEncoders, indexTexts, textEncoders } from '#engine';
import { findOption } from '#labels/models';
import { openQueue, type SearchScope, searchCountRows, searchRows, textVectorRows } from '#store';
import { addAnnotations } from '#test/support/annotation-rows';
import { ask, describedProject, projectOf } from '#test/support/search/described-project';
import { sentenceModel, writeSentenceModel } from '#test/support/sentence-model';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { type Call, scopeOf } from '../call.ts';
import { searchProject } from './search-project.ts';

describe.each(serviceDatabases)('search by meaning on the %s database', { timeout: 60_000 }, (on) => {
  let store: TestStore;
  let call: Call;
  let project_id: string;
  let ids: string[];
  beforeAll(async () => {
    store = await openTestStore({ on, queue: (database) => openQueue(database, { worker: 'test' }) });
    writeSentenceModel(store.data_folder);
    ({ call, project_id, ids } = await describedProject(store));
  }, 60_000);
  afterAll(async () => {
    await closeTextEncoders(store);
    await store.close();
  });

  const search = (query: unknown, more: object = {}) =>
    searchProject(store, call, { project_id, limit: 500, ...ask(query), ...more });
  const about = (text: string, match?: 'meaning' | 'words') => ({
    rank: { by: 'text', text, ...(match === undefined ? {} : { match }) },
  });
  const index = () =>
    indexTexts(store, {
      data: { tenant_id: call.actor.tenant_id, project_id },
      signal: new AbortController().signal,
    });

  it('ranks by words until texts are indexed, and says why', async () => {
    const { ranked_by } = await search(about('pick the red cube'));
    expect(ranked_by).toMatchObject({ id: 'words', note: expect.stringMatching(/not indexed yet/) });
    await expect(search(about('pick the red cube', 'meaning'))).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringMatching(/not indexed yet/),
    });
  });

  it('ranks by words while few of the texts are indexed, unless meaning is requested', async () => {
    const scope = scopeOf(store, call);
    const of = { project_id, model: sentenceModel };
    const [one] = await textVectorRows.listUnindexedTexts(scope, of, 1);
    const [vector] = await textEncoders(store).encode(findOption(sentenceModel)!, [one.text]);
    await textVectorRows.insertTextVectors(scope, of, [{ key: one.key, vector }]);
    const { ranked_by } = await search(about('pick the red cube'));
    expect(ranked_by).toMatchObject({ id: 'words', note: expect.stringMatching(/not all indexed yet/) });
    expect((await search(about('pick the red cube', 'meaning'))).ranked_by?.id).toBe('meaning');
  });

  it('ranks all episodes with a task by its meaning, and by words if these are requested', async () => {
    await index();
    const answer = await search(about('pick a red cube up'));
    expect(answer.ranked_by).toMatchObject({ id: 'meaning', version: 1, model: sentenceModel, exact: true });
    expect(answer.ranked_by).not.toHaveProperty('note');
    const scores = answer.items.map(({ score }) => score!);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(answer.items[0].episode.task).toBe('pick the red cube');
    expect(answer.coverage.ranked).toBe(answer.items.length);
    const everything = (await search({})).items.map(({ episode }) => episode);
    expect(answer.coverage.ranked).toBe(everything.filter(({ task }) => task !== null).length);
    expect(answer.coverage.not_ranked).toEqual([
      {
        reason: 'it has no task, captions or detailed description, or they are not indexed yet',
        episodes: everything.filter(({ task }) => task === null).length,
      },
    ]);
    const accepted = await search({ ...about('pick a red cube up'), filter: { decision: ['accept'] } });
    expect(accepted.items.map(({ episode }) => episode.id)).toEqual(
      answer.items.filter(({ episode }) => episode.decision === 'accept').map(({ episode }) => episode.id),
    );
    const words = await search(about('towel', 'words'));
    expect(words.ranked_by?.id).toBe('words');
    expect(words.ranked_by).not.toHaveProperty('note');
    expect(new Set(words.items.map(({ episode }) => episode.task))).toEqual(new Set(['fold the blue towel']));
  });

  it('pages through the answer in one order, and not with a cursor of words', async () => {
    const whole = await search(about('blue towel'));
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search(about('blue towel'), { limit: 17, cursor });
      paged.push(...page.items.map(({ episode }) => episode.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(whole.items.map(({ episode }) => episode.id));
    const { next_cursor } = await search(about('blue towel'), { limit: 5 });
    await expect(search(about('blue towel', 'words'), { limit: 5, cursor: next_cursor })).rejects.toThrow(
      /cursor/,
    );
  });

  it('finds episodes by sentences of captions and descriptions, in the same order whatever the way', async () => {
    const said = new Map([
      [ids[3], 'The arm moves. It opens the green door! Then it stops.'],
      [ids[4], 'Nothing happens.'],
      [ids[100], 'A robot arm, a mug.'],
    ]);
    const own = { tenant_id: call.actor.tenant_id, project_id };
    await addAnnotations(store, own, { layer: 'captions', qualities: [1, 1, 1] }, [...said.keys()]);
    for (const [id, text] of said)
      await store.database.query(
        'UPDATE annotations SET sentences = text_sentences($1) WHERE tenant_id = $2 AND episode_id = $3',
        [text, call.actor.tenant_id, id],
      );
    await index();
    const { items, coverage } = await search(about('open the green door'));
    expect(items[0].episode.id).toBe(ids[3]);
    expect(coverage.ranked).toBe(items.length);

    const scope = { ...scopeOf(store, call), database: store.database };
    const vector = await textEncoders(store).encodeQuery(findOption(sentenceModel)!, 'open the green door');
    for (const filter of [{}, { decision: ['accept'] as 'accept'[] }]) {
      const ranking = { by: 'meaning', model: sentenceModel, vector } as const;
      const scoped: SearchScope = { project_id, filter, ranking };
      const ranked = await searchCountRows.countRanked(scope, scoped);
      expect(ranked.by_task).toBe(false);
      const page = async (limit: number) =>
        (await searchRows.bestEpisodes(scope, scoped, { after: null, limit, ranked })).hits.map(
          ({ id }) => id,
        );
      // A page of all is more than the nearest texts give.
      const all = await page(1000);
      expect(all).toHaveLength(ranked.ranked);
      expect(await page(3)).toEqual(all.slice(0, 3));
      expect((await searchRows.bestMembers(scope, scoped, 1000)).map(({ episode_id }) => episode_id)).toEqual(
        all,
      );
    }
  });

  it('finds nothing of other projects and tenants', async () => {
    const other = await projectOf(store);
    const answer = await searchProject(store, other.call, {
      ...{ project_id: other.project_id, limit: 5, ...ask(about('red cube')) },
    });
    expect(answer).toMatchObject({ items: [], ranked_by: { id: 'words' }, coverage: { matched: 0 } });
    await expect(
      searchProject(store, other.call, { project_id, limit: 5, ...ask(about('red cube')) }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
