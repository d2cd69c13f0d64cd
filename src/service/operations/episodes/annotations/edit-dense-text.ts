import { AssayError, newId } from '#core';
import type { EpisodeAnnotation } from '#core/api';
import { annotationRows, episodeRows, type Store } from '#store';
import { actorId, appendAudit } from '../../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadAnnotation, notOfProject } from './load-annotation.ts';
import { type EpisodeLayer, editOf } from './views.ts';

const layer = 'dense_text';

interface DenseTextEdit extends Omit<EpisodeLayer, 'layer'> {
  readonly text: string;
  /** The edit that was read before, null for none; absent: whatever is there is written over. */
  readonly over?: string | null | undefined;
}

/**
 * Writes a person's text over the machine's, or where there is none. The machine's and earlier edits stay; the same text
 * over the same version again changes nothing. Throws `not_found`, and `conflict` where somebody has written since `over`.
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
    if (episode?.project_id !== project_id) throw notOfProject();
    const before = await annotationRows.latestEdit(scope, episode_id, layer);
    const answer = { episode_id, layer, machine } as const;
    if (before !== null && before.text === text && before.artifact_hash === artifact_hash)
      return { ...answer, edit: editOf(before) };
    if (over !== undefined && over !== (before?.id ?? null)) throw writtenSince(before);
    const made = { created_at: call.now, created_by: actorId(call) };
    const row = { ...made, id: newId('edt'), episode_id, layer, text, artifact_hash } as const;
    await annotationRows.insertEdit(scope, row);
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

const writtenSince = (before: annotationRows.AnnotationEditRow | null): AssayError =>
  new AssayError('conflict', 'somebody has written another text since', {
    advice: 'read it, then send yours again with its id as `over`',
    details: { edit_id: before?.id ?? null, created_by: before?.created_by ?? null },
  });
