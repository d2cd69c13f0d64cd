import { useRef, useState } from 'react';
import type { Episode, EpisodeSummary } from '#client';
import type { Decision } from '#quality/report/views';
import { useAct } from '../../api/use-act.ts';

/** Operations whose answers depend on reviews. */
export const reviewedOperations = [
  'get_episode',
  'list_reviews',
  'list_episodes',
  'map_episodes',
  'summarise_project',
  'get_project',
  'list_projects',
] as const;

type Decided = Pick<EpisodeSummary | Episode, 'id' | 'name' | 'review_decision' | 'receipt_id'>;

/** Decision made on this page. */
export interface Made {
  readonly episode: Decided;
  readonly decision: Decision;
  /** Id of its review; `null` until the service has answered. */
  readonly review_id: string | null;
}

/**
 * Returns functions to decide on episodes and to undo decisions. Undo withdraws the review: the decision before it is in
 * effect again, or none if there was none.
 */
export function useDecide() {
  const [made, show] = useState<readonly Made[]>([]);
  const latest = useRef(made);
  const inTurn = useInTurn();
  const create = useAct('create_review', reviewedOperations);
  const withdraw = useAct('withdraw_review', reviewedOperations);
  const setMade = (next: readonly Made[]) => {
    latest.current = next;
    show(next);
  };
  const decide = (episode: Decided, decision: Decision, note = '') => {
    const { id: episode_id, receipt_id } = episode;
    const own: Made = { episode, decision, review_id: null };
    // Set before the answer arrives, so that a list fetched meanwhile does not attribute it to another user.
    setMade([...latest.current, own]);
    return inTurn(async () => {
      try {
        const { id: review_id } = await create.mutateAsync({ episode_id, decision, note, receipt_id });
        setMade(latest.current.map((each) => (each === own ? { ...own, review_id } : each)));
      } catch (thrown) {
        setMade(latest.current.filter((each) => each !== own));
        throw thrown;
      }
    });
  };
  const undo = () =>
    inTurn(async () => {
      const last = latest.current.at(-1);
      if (last === undefined || last.review_id === null) return null;
      await withdraw.mutateAsync({ episode_id: last.episode.id, review_id: last.review_id });
      setMade(latest.current.filter((each) => each !== last));
      return last;
    });
  return { made, decide, undo, error: create.error ?? withdraw.error };
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
