import { AssayError, messageOf } from '#core';
import type { SearchQuery } from '#core/api';
import { projectModels, queueTextIndex, textEncoders } from '#engine';
import { type projectRows, type Ranking, type Store, type TenantScope, textVectorRows } from '#store';

type TextRank = Extract<NonNullable<SearchQuery['rank']>, { by: 'text' }>;

interface TextRanking {
  readonly ranking: Ranking;
  /** Why the text is not compared by meaning; null if it is, or if words were requested. */
  readonly note: string | null;
}

/**
 * Returns a ranking by text: by meaning if a model is installed and has indexed the texts of the project, else by words. If
 * meaning is requested, the texts that are indexed so far are compared. Throws `not_ready` if meaning is required and cannot
 * be compared.
 */
export async function resolveTextRanking(
  store: Store,
  scope: TenantScope,
  project: projectRows.FoundProject,
  { text, match }: TextRank,
): Promise<TextRanking> {
  const byWords = { ranking: { by: 'text', text }, note: null } as const;
  if (match === 'words') return byWords;
  const found = await rankByMeaning(store, scope, project, { text, isRequested: match === 'meaning' });
  if (typeof found !== 'string') return { ranking: found, note: null };
  if (match === undefined) return { ...byWords, note: found };
  throw new AssayError('not_ready', `texts cannot be compared by meaning: ${found}`, {
    advice: 'leave out rank.match, or set it to words',
  });
}

/** Returns the ranking, or the reason why there is none; queues the indexing of texts if not all are indexed. */
async function rankByMeaning(
  store: Store,
  scope: TenantScope,
  project: projectRows.FoundProject,
  { text, isRequested }: { readonly text: string; readonly isRequested: boolean },
): Promise<Ranking | string> {
  const { runnable, missing } = await projectModels(store, project);
  const model = runnable.get('text_embedding');
  if (model === undefined) return missing.get('text_embedding')?.reason ?? 'no model is installed';
  let vector: string;
  try {
    vector = await textEncoders(store).encodeQuery(model, text);
  } catch (thrown) {
    if (thrown instanceof AssayError && (thrown.code === 'layer_unavailable' || thrown.code === 'unfinished'))
      return messageOf(thrown);
    throw thrown;
  }
  const index = { project_id: project.id, model: model.id };
  const state = await textVectorRows.getTextIndexState(scope, index);
  if (state !== 'complete') await requestTextIndex(store, scope, project.id);
  if (state === 'complete' || (state === 'partial' && isRequested))
    return { by: 'meaning', model: model.id, vector };
  return state === 'empty'
    ? 'the texts of this project are not indexed yet'
    : 'the texts of this project are not all indexed yet';
}

/** Time after which a project that still has texts without vectors is queued again. */
const retry_ms = 60_000;
const requested = new WeakMap<object, Map<string, number>>();

/** Queues the indexing of a project's texts, at most once a minute per project in this process. */
export async function requestTextIndex(
  store: Store,
  { tenant_id }: TenantScope,
  project_id: string,
): Promise<void> {
  const times = requested.get(store.database) ?? new Map<string, number>();
  requested.set(store.database, times);
  const key = `${tenant_id} ${project_id}`;
  if (Date.now() < (times.get(key) ?? 0) + retry_ms) return;
  times.set(key, Date.now());
  await queueTextIndex(store, { tenant_id, project_id });
}
