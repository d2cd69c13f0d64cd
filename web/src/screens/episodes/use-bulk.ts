import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationId } from '#client';
import type { Decision } from '#quality/report/views';
import { client, isSignedOut, isUnreachable } from '../../api/client.ts';
import { plural } from '../../components/words.ts';
import { changeTags, taggedOperations, withTag } from '../episode/change-tags.ts';
import { reviewedOperations } from '../episode/use-decide.ts';
import type { Selectable, Selection } from './use-selection.ts';

interface BulkAction {
  /** Name of the action in the result, such as `Reject`. */
  readonly title: string;
  readonly act: (episode: Selectable) => Promise<unknown>;
}

interface BulkResult {
  readonly text: string;
  /** First error; `null` if there was none. */
  readonly error: unknown;
}

const noResult: BulkResult = { text: '', error: null };

/**
 * Returns functions that decide on all selected episodes and tag them, one after the other. Finished episodes are deselected,
 * so that an action can be repeated for those that failed. `progress` is `null` while nothing runs.
 */
export function useBulk(selection: Selection) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const [result, setResult] = useState(noResult);
  const run = async ({ title, act }: BulkAction, changes: readonly OperationId[]) => {
    const { episodes } = selection;
    setResult(noResult);
    let [tried, done, error] = [0, 0, null as unknown];
    for (const episode of episodes) {
      setProgress({ done: tried++, of: episodes.length });
      try {
        await act(episode);
        done++;
        selection.remove(episode.id);
      } catch (thrown) {
        error ??= thrown;
        // The other episodes would fail, too.
        if (isSignedOut(thrown) || isUnreachable(thrown)) break;
      }
    }
    setProgress(null);
    setResult({ text: describeResult(title, done, episodes.length - done), error });
    // Once for all episodes: the lists of a project take longer than the action on one of them.
    for (const changed of changes) void queries.invalidateQueries({ queryKey: [changed] });
    if (isSignedOut(error)) throw error;
  };
  const { mutateAsync } = useMutation({
    mutationFn: ([action, changes]: Parameters<typeof run>) => run(action, changes),
  });
  const start = (...parameters: Parameters<typeof run>) => mutateAsync(parameters).catch(() => {});
  return {
    progress,
    result,
    decide: (title: string, decision: Decision) =>
      start({ title, act: (episode) => review(episode, decision) }, reviewedOperations),
    addTag: (tag: string) =>
      start({ title: `Tagged ${tag}`, act: ({ id }) => changeTags(id, withTag(tag)) }, taggedOperations),
  };
}

const describeResult = (title: string, done: number, failed: number): string =>
  failed === 0 ? `${title}: ${plural(done, 'episode')}.` : `${title}: ${done} done, ${failed} failed.`;

const review = ({ id: episode_id, receipt_id }: Selectable, decision: Decision): Promise<unknown> =>
  client.ask('create_review', { episode_id, decision, note: '', receipt_id });
