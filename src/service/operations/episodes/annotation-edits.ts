import { AssayError, idPattern, newId } from '#core';
import type { AnnotationEdit, EpisodeAnnotation } from '#core/api';
import { queueTextIndex } from '#engine';
import { annotationRows, episodeRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import {
  type EpisodeLayer,
  editOf,
  episodeNotInProject,
  loadAnnotation,
  requireEpisode,
} from './annotations.ts';

const layer = 'dense_text';

interface DenseTextEdit extends Omit<EpisodeLayer, 'layer'> {
  readonly text: string;
  /** Id of the edit that the new text replaces, null if there was none; undefined overwrites whatever is stored. */
  readonly over?: string | null | undefined;
}

/**
 * Stores a person's text for an episode, over the generated text or where there is none, audits it and returns the annotation.
 * Generated text and earlier edits are kept; the same text over the same version changes nothing. Throws `not_found`,
 * `conflict` if another edit was stored since `over`.
 */
export async function editDenseText(
  store: Store,
  call: Call,
  { project_id, episode_id, text, over }: DenseTextEdit,
): Promise<EpisodeAnnotation> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  const { machine } = await loadAnnotation(store, scope, { project_id, episode_id, layer });
  const artifact_hash = machine?.artifact_hash ?? null;
  return store.database.transaction(async () => {
    const episode = await episodeRows.lockEpisode(scope, episode_id);
    if (episode?.project_id !== project_id) throw episodeNotInProject();
    const before = await annotationRows.latestEdit(scope, episode_id, layer);
    const answer = { episode_id, layer, machine } as const;
    if (before !== null && before.text === text && before.artifact_hash === artifact_hash)
      return { ...answer, edit: editOf(before) };
    if (over !== undefined && over !== (before?.id ?? null)) throw editConflict(before);
    const creation = { created_at: call.now, created_by: actorId(call) };
    const row = { ...creation, id: newId('edt'), episode_id, layer, text, artifact_hash } as const;
    await annotationRows.insertEdit(scope, row);
    await queueTextIndex(store, { ...scope, project_id });
    await appendAudit(store, call, {
      action: 'edit_dense_text',
      object_type: 'episode',
      object_id: episode_id,
      before: before === null ? null : { text: before.text, artifact_hash: before.artifact_hash },
      after: { text, artifact_hash },
      detail: { project_id, layer, edit_id: row.id, artifact_hash },
    });
    return { ...answer, edit: editOf(row) };
  });
}

const editConflict = (before: annotationRows.AnnotationEditRow | null): AssayError =>
  new AssayError('conflict', 'somebody has edited the text since you read it', {
    advice: 'read the newer edit, then send your text again with its id as `over`',
    details: { edit_id: before?.id ?? null, created_by: before?.created_by ?? null },
  });

interface EditQuery extends EpisodeLayer {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists people's edits of a layer's text on an episode, newest first. Throws `not_found`. */
export async function listAnnotationEdits(
  store: Store,
  call: Call,
  query: EditQuery,
): Promise<Page<AnnotationEdit>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id, layer, limit } = query;
  await requireEpisode(scope, query);
  const before = readCursor(query.cursor, idPattern('edt'));
  const rows = await annotationRows.listEdits(scope, { episode_id, layer, before, limit: limit + 1 });
  return pageOfRows(rows, limit, ({ id }) => id, editOf);
}
