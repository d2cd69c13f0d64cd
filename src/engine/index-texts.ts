import { AssayError } from '#core';
import type { ModelOption } from '#labels/models';
import {
  projectRows,
  type QueuedJob,
  refreshStatistics,
  type Store,
  type TenantScope,
  textVectorRows,
} from '#store';
import { projectModels } from './durable/jobs/lane-plan.ts';
import { textEncoders } from './text-encoders.ts';

/** Project whose texts are indexed. */
export interface TextIndexRef {
  readonly tenant_id: string;
  readonly project_id: string;
}

/** Texts that are looked up at once, and of these, those whose vectors are stored at once. */
const [lookup, stored] = [1024, 64];

/** Queues the computation of vectors for those texts of a project that have none. */
export async function queueTextIndex(store: Store, { tenant_id, project_id }: TextIndexRef): Promise<void> {
  await store.queue.send('text_steps', [{ tenant_id, project_id }]);
}

/**
 * Computes vectors for all texts of a project that have none: tasks, and sentences of captions and detailed descriptions.
 * Does nothing if no model for them is installed here, or if it cannot be used.
 */
export async function indexTexts(
  store: Store,
  { data, signal }: Pick<QueuedJob, 'data' | 'signal'>,
): Promise<void> {
  const [tenant_id, project_id] = [String(data.tenant_id), String(data.project_id)];
  const scope = { sql: store.database.sql, tenant_id };
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) return;
  const model = (await projectModels(store, project)).runnable.get('text_embedding');
  if (model === undefined) return;
  try {
    const added = await addVectors(store, scope, model, { project_id, signal });
    await textVectorRows.completeTextIndex(scope, { project_id, model: model.id });
    // Few vectors do not change how lists are planned, and it takes long.
    if (added >= worthAnalysing) await refreshStatistics(store.database).catch(() => {});
  } catch (thrown) {
    // A search says why the model cannot be used, and requests it again.
    if (!(thrown instanceof AssayError && thrown.code === 'layer_unavailable')) throw thrown;
  }
}

/** Number of new vectors after which the statistics of the planner are updated. */
const worthAnalysing = 1000;

/** Computes and stores the missing vectors; returns their number. */
async function addVectors(
  store: Store,
  scope: TenantScope,
  model: ModelOption,
  { project_id, signal }: { readonly project_id: string; readonly signal: AbortSignal },
): Promise<number> {
  const index = { project_id, model: model.id };
  for (let total = 0; ; ) {
    const texts = await textVectorRows.listUnindexedTexts(scope, index, lookup);
    // Until all are stored, a search by meaning would find few of the episodes.
    if (texts.length === lookup) await textVectorRows.reopenTextIndex(scope, index);
    for (let at = 0; at < texts.length; at += stored) {
      signal.throwIfAborted();
      const part = texts.slice(at, at + stored);
      const vectors = await textEncoders(store).encode(
        model,
        part.map(({ text }) => text),
      );
      await textVectorRows.insertTextVectors(
        scope,
        index,
        part.map(({ key }, i) => ({ key, vector: vectors[i] })),
      );
    }
    total += texts.length;
    if (texts.length < lookup) return total;
  }
}
