import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Kind, TargetProfileId, UseCase, UseCaseId } from '#client';
import { client } from '../../api/client.ts';

export type PresetId = UseCase['presets'][number];

/** Values of the form that creates a project. */
export interface ProjectWish {
  readonly name: string;
  /** Existing workspace, or one to create. */
  readonly workspace: { readonly id: string } | { readonly name: string; readonly use_case: UseCaseId };
  readonly target_profile: TargetProfileId;
  /** Null for the layer modes of the use case. */
  readonly preset: PresetId | null;
  /** Null to detect it from the recordings. */
  readonly kind: Kind | null;
}

/**
 * Returns a function that creates workspace, project and settings in turn. A retry with the same values resumes after
 * the last completed step.
 */
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
