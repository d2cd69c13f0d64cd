import type { Kind, TargetProfileId, UseCase, UseCaseId } from '@assay/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client } from '../../api/client.ts';

export type PresetId = UseCase['presets'][number];

/** A project as it is wanted. */
export interface ProjectWish {
  readonly name: string;
  /** A workspace that is there, or one to be made. */
  readonly workspace: { readonly id: string } | { readonly name: string; readonly use_case: UseCaseId };
  readonly target_profile: TargetProfileId;
  /** Null: the modes of the use case. */
  readonly preset: PresetId | null;
  /** Null: as the recordings show. */
  readonly kind: Kind | null;
}

/** Makes a project step by step. What was made stays made: the same wish tried again goes on from there. */
export function useCreateProject() {
  const queries = useQueryClient();
  const made = useRef(new Map<string, string>());
  const once = async (what: unknown, make: () => Promise<{ readonly id: string }>): Promise<string> => {
    const key = JSON.stringify(what);
    const id = made.current.get(key) ?? (await make()).id;
    made.current.set(key, id);
    return id;
  };
  return useMutation({
    mutationFn: async ({ name, workspace, target_profile, preset, kind }: ProjectWish): Promise<string> => {
      const workspace_id =
        'id' in workspace ? workspace.id : await once(workspace, () => client.workspaces.create(workspace));
      const wish = { workspace_id, name, target_profile };
      const project_id = await once(wish, () => client.projects.create(wish));
      if (kind !== null) await client.projects.setDataKind({ project_id, kind });
      if (preset !== null) await client.annotation.setSettings({ project_id, preset });
      return project_id;
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['list_projects'] });
      void queries.invalidateQueries({ queryKey: ['list_workspaces'] });
    },
  });
}
