import { useRef, useState } from 'react';
import type { Episode, EpisodeSummary } from '#client';
import type { Decision } from '#quality/report/views';
import { useAct } from '../../api/use-act.ts';

/** Operations whose answers depend on reviews. */
export const reviewedOperations = [
  'get_episode',
  'list_reviews',
  'list_episodes',
  'summarise_project',
  'get_project',
  'list_projects',
] as const;

type Decided = Pick<EpisodeSummary | Episode, 'id' | 'name' | 'review_decision' | 'receipt_id'>;

/** Decision made on this page and the state before it. */
export interface Made {
  readonly episode: Decided;
  readonly decision: Decision;
}

/**
 * Returns functions to decide on episodes and to undo decisions. Reviews are never deleted: undo repeats the previous
 * decision, or sends the episode to review again if there was none.
 */
export function useDecide() {
  const [made, show] = useState<readonly Made[]>([]);
  const latest = useRef(made);
  const inTurn = useInTurn();
  const act = useAct('create_review', reviewedOperations);
  const setMade = (next: readonly Made[]) => {
    latest.current = next;
    show(next);
  };
  const decide = (episode: Decided, decision: Decision, note = '') => {
    const { id: episode_id, receipt_id } = episode;
    const own: Made = { episode, decision };
    // Set before the answer arrives, so that a list fetched meanwhile does not attribute it to another user.
    setMade([...latest.current, own]);
    return inTurn(async () => {
      try {
        await act.mutateAsync({ episode_id, decision, note, receipt_id });
      } catch (thrown) {
        setMade(latest.current.filter((each) => each !== own));
        throw thrown;
      }
    });
  };
  const undo = () =>
    inTurn(async () => {
      const last = latest.current.at(-1);
      if (last === undefined) return null;
      const { id: episode_id, review_decision } = last.episode;
      const decision = review_decision ?? 'review';
      await act.mutateAsync({ episode_id, decision, note: `Undo: ${last.decision}` });
      setMade(latest.current.filter((each) => each !== last));
      return last;
    });
  return { made, decide, undo, error: act.error };
}

/** Runs asynchronous actions one after the other, however fast keys are pressed. */
function useInTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  const before = useRef<Promise<unknown>>(Promise.resolve());
  return (work) => {
    const own = before.current.then(work, work);
    before.current = own.catch(() => {});
    return own;
  };
}
