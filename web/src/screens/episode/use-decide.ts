import type { Episode, EpisodeSummary } from '@assay/client';
import { useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import type { Decision } from '../../components/decision.tsx';

type Decided = Pick<EpisodeSummary | Episode, 'id' | 'name' | 'review_decision' | 'receipt_id'>;

/** A decision that was made here, and what was before it. */
export interface Made {
  readonly episode: Decided;
  readonly decision: Decision;
}

/**
 * Decides on episodes, and takes decisions back. Decisions are never deleted: taking back is deciding as before, or, where
 * nobody had decided, sending the episode to review again.
 */
export function useDecide() {
  const [made, setMade] = useState<readonly Made[]>([]);
  const act = useAct('create_review', [
    'get_episode',
    'list_reviews',
    'list_episodes',
    'summarise_project',
    'get_project',
    'list_projects',
  ]);
  const decide = async (episode: Decided, decision: Decision, note = '') => {
    const { id: episode_id, receipt_id } = episode;
    await act.mutateAsync({ episode_id, decision, note, receipt_id });
    setMade((before) => [...before, { episode, decision }]);
  };
  const undo = async () => {
    const last = made.at(-1);
    if (last === undefined) return null;
    const { id: episode_id, review_decision } = last.episode;
    const decision = review_decision ?? 'review';
    await act.mutateAsync({ episode_id, decision, note: `takes back: ${last.decision}` });
    setMade((before) => before.slice(0, -1));
    return last;
  };
  return { made, decide, undo, busy: act.isPending, error: act.error };
}
