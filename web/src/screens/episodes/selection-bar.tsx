import { type FormEvent, useState } from 'react';
import type { EpisodeSummary } from '#client';
import { decisions, decisionWords } from '#quality/report/views';
import { useAct } from '../../api/use-act.ts';
import { Action, RoleNote } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { count, plural } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';
import { taggedOperations } from '../episode/tags.tsx';
import { useDecide } from '../episode/use-decide.ts';
import type { Selection } from './use-selection.ts';

/** Decisions and tags for all selected episodes at once; each decision is stored as a review of its own. */
export function SelectionBar({ selection }: { readonly selection: Selection }) {
  const { episodes } = selection;
  const may = useMay('reviewer');
  const { decide, error } = useDecide();
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const [result, setResult] = useState('');
  const update = useAct('update_episode', taggedOperations);
  const [tag, setTag] = useState('');
  const actOnAll = async (title: string, act: (episode: EpisodeSummary) => Promise<unknown>) => {
    setResult('');
    let done = 0;
    try {
      for (const episode of episodes) {
        setProgress({ done, of: episodes.length });
        await act(episode);
        done++;
      }
      selection.clear();
    } catch {
      // The error is shown; the selection stays, so that the rest can be tried again.
    } finally {
      setProgress(null);
      setResult(`${title}: ${plural(done, 'episode')}.`);
    }
  };
  const addTag = (event: FormEvent) => {
    event.preventDefault();
    const added = tag.trim();
    if (added === '') return;
    void actOnAll(`Tagged ${added}`, ({ id: episode_id, tags }) =>
      update.mutateAsync({ episode_id, tags: [...tags, added] }),
    ).then(() => setTag(''));
  };
  if (episodes.length === 0) return <p role="status">{result}</p>;
  return (
    <section className="selection-bar" aria-label="Selected episodes">
      <b>{count(episodes.length)} selected</b>
      {decisions.map((decision) => (
        <Action
          key={decision}
          needs="reviewer"
          grouped
          busy={progress !== null}
          onAct={() => void actOnAll(decisionWords[decision], (episode) => decide(episode, decision))}
        >
          <span className={`badge is-${decision}`}>
            <Glyph name={decision} /> {decisionWords[decision]}
          </span>
        </Action>
      ))}
      {may && (
        <form onSubmit={addTag}>
          <input
            className="tag-field"
            aria-label="Tag for the selected episodes"
            placeholder="Add tag"
            maxLength={60}
            disabled={progress !== null}
            value={tag}
            onChange={({ target }) => setTag(target.value)}
          />
        </form>
      )}
      <RoleNote needs="reviewer" />
      <button type="button" className="quiet" onClick={selection.clear}>
        Clear
      </button>
      <span role="status" className="faint">
        {progress === null ? result : `${count(progress.done)} of ${count(progress.of)}`}
      </span>
      {(error ?? update.error) !== null && <Complaint error={error ?? update.error} />}
    </section>
  );
}
