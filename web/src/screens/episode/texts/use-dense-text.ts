import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AssayApiError, type Episode, type EpisodeAnnotation } from '#client';
import { client } from '../../../api/client.ts';
import { useAct } from '../../../api/use-act.ts';

/** Generated text of an episode and the latest edit; both null if there is no text. */
export type DenseText = Pick<EpisodeAnnotation, 'machine' | 'edit'>;

const layer = 'dense_text';
const nothing: DenseText = { machine: null, edit: null };

/**
 * Returns the detailed description of an episode and a function to save it. It is refetched regularly, so that edits
 * of others appear before saving.
 */
export function useDenseText({ project_id, id: episode_id }: Episode) {
  const queries = useQueryClient();
  const of = { project_id, episode_id, layer } as const;
  const queryKey = ['get_episode_annotation', of];
  const text = useQuery<DenseText>({
    queryKey,
    refetchInterval: 3000,
    queryFn: async ({ signal }) => {
      const { items } = await client.episodeAnnotations.list({ project_id, episode_id }, { signal });
      const isThere = items.some((one) => one.layer === layer);
      return isThere ? client.episodeAnnotations.get(of, { signal }) : nothing;
    },
  });
  const save = useAct('edit_dense_text', ['list_annotation_edits', 'list_episode_annotations']);
  return {
    text,
    saving: save.isPending,
    /** Error of the last save; a conflict with a newer edit is not an error. */
    error: isConflict(save.error) ? null : save.error,
    /** Saves a text over the edit that was read. Returns false if there is a newer edit, which is then fetched. */
    save: async (written: string, over: string | null): Promise<boolean> => {
      try {
        queries.setQueryData(queryKey, await save.mutateAsync({ ...of, text: written, over }));
        return true;
      } catch (thrown) {
        if (!isConflict(thrown)) throw thrown;
        await text.refetch();
        return false;
      }
    },
  };
}

const isConflict = (thrown: unknown): boolean =>
  thrown instanceof AssayApiError && thrown.code === 'conflict';

/** Returns the current text: the latest edit, otherwise the generated text. */
export function currentText({ machine, edit }: DenseText): string {
  const machineText = machine?.artifact?.text;
  return edit?.text ?? (typeof machineText === 'string' ? machineText : '');
}
