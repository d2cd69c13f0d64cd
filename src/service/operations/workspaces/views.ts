import { AssayError } from '#core';
import type { UseCaseId, Workspace } from '#core/api';
import { findUseCase } from '#quality/catalog';
import type { workspaceRows } from '#store';

/** The use case of a stored id, former ids included. */
export function storedUseCase(id: string) {
  const row = findUseCase(id);
  if (row === undefined) throw new AssayError('internal', `a workspace declares the unknown use case ${id}`);
  return row;
}

/** A use case's id of today for whatever id was given. */
export const useCaseIdOf = (id: string): UseCaseId => storedUseCase(id).id;

/** A workspace as it is answered. */
export function workspaceOf(row: workspaceRows.WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    use_case: useCaseIdOf(row.use_case),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** For an absent workspace and another tenant's alike. */
export const noWorkspace = (): AssayError =>
  new AssayError('not_found', 'there is no workspace of this id', {
    advice: 'GET /v1/workspaces lists them',
  });
