import { useEffect, useState } from 'react';
import type { EpisodeSummary } from '#client';
import type { Decision } from '#quality/report/views';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { useMay } from '../../shell/session.tsx';
import { useDecide } from '../episode/use-decide.ts';

const waitingFor = { decision: ['review'], review_decision: ['none', 'review'] } as const;

/**
 * Returns the episodes to review, worst first. Episodes that another user reviews leave the queue within two seconds;
 * `notice` tells if it was the current one.
 */
export function useQueue(project_id: string) {
  const may = useMay('reviewer');
  const queue = useAnswer(
    'list_episodes',
    { project_id, ...waitingFor, sort: 'score', limit: 100 },
    { every_ms: others_ms },
  );
  const summary = useAnswer('summarise_project', { project_id, ...waitingFor }, { every_ms: others_ms });
  const { made, decide, undo, error } = useDecide();
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [notice, setNotice] = useState<string | null>(null);
  const done = new Set(made.map(({ episode }) => episode.id));
  const open = (queue.data?.items ?? []).filter(({ id }) => !done.has(id));
  const fresh = open.filter(({ id }) => !skipped.includes(id));
  const current = fresh[0] ?? open[0];
  useGone(current, (gone) => {
    // After an undo the episode in front is still in the queue, behind the one that came back.
    const isHere = open.some(({ id }) => id === gone.id);
    if (!isHere && !done.has(gone.id)) setNotice(`${gone.name} was reviewed by someone else.`);
  });
  return {
    queue,
    current,
    waiting: summary.data?.episodes,
    made,
    error,
    notice,
    decide: async (decision: Decision) => {
      if (current === undefined || !may) return;
      setNotice(null);
      await decide(current, decision).catch(() => {});
    },
    next: () => {
      setNotice(null);
      // After the last episode the queue starts again.
      if (current !== undefined) setSkipped(fresh.length <= 1 ? [] : [...skipped, current.id]);
    },
    undo: async () => {
      if (!may) return;
      const taken = await undo().catch(() => null);
      if (taken === null) return;
      setSkipped((before) => before.filter((id) => id !== taken.episode.id));
      setNotice(`${taken.episode.name} is back in the queue.`);
    },
  };
}

/** Calls `onGone` with the previous current episode when the current one changes. */
function useGone(current: EpisodeSummary | undefined, onGone: (gone: EpisodeSummary) => void): void {
  const [before, setBefore] = useState(current);
  useEffect(() => {
    if (before?.id === current?.id) return;
    if (before !== undefined) onGone(before);
    setBefore(current);
  }, [before, current, onGone]);
}
