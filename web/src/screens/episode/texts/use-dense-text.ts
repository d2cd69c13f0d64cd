import { AssayApiError, type Episode, type EpisodeAnnotation } from '@assay/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { useAct } from '../../../api/use-act.ts';

/** The text of an episode: the machine's, and a person's over it; neither where nobody wrote. */
export type DenseText = Pick<EpisodeAnnotation, 'machine' | 'edit'>;

const layer = 'dense_text';
const nothing: DenseText = { machine: null, edit: null };

/** Reads the dense text of an episode again and again, so that what somebody else writes is seen before one saves. */
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
    /** Why the last try to save failed; what was written since is no error. */
    error: isConflict(save.error) ? null : save.error,
    /** Writes over the edit that was read. False: somebody has written since, whose text is read now. */
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

/** What stands now: a person's word before the machine's. */
export function standing({ machine, edit }: DenseText): string {
  const said = machine?.artifact?.text;
  return edit?.text ?? (typeof said === 'string' ? said : '');
}
