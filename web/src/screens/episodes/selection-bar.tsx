import { useState } from 'react';
import { type Decision, decisions, decisionWords } from '#quality/report/views';
import { Action, RoleNote } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { count, plural } from '../../components/words.ts';
import { useDecide } from '../episode/use-decide.ts';
import type { Selection } from './use-selection.ts';

/** Decisions on all selected episodes at once; each is stored as a review of its own. */
export function SelectionBar({ selection }: { readonly selection: Selection }) {
  const { episodes } = selection;
  const { decide, error } = useDecide();
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const [result, setResult] = useState('');
  const decideAll = async (decision: Decision) => {
    setResult('');
    let done = 0;
    try {
      for (const episode of episodes) {
        setProgress({ done, of: episodes.length });
        await decide(episode, decision);
        done++;
      }
      selection.clear();
    } catch {
      // `error` says why; the selection stays, so that the rest can be tried again.
    } finally {
      setProgress(null);
      setResult(`${decisionWords[decision]}: ${plural(done, 'episode')}.`);
    }
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
          onAct={() => void decideAll(decision)}
        >
          <span className={`badge is-${decision}`}>
            <Glyph name={decision} /> {decisionWords[decision]}
          </span>
        </Action>
      ))}
      <RoleNote needs="reviewer" />
      <button type="button" className="quiet" onClick={selection.clear}>
        Clear
      </button>
      <span role="status" className="faint">
        {progress === null ? result : `${count(progress.done)} of ${count(progress.of)}`}
      </span>
      {error !== null && <Complaint error={error} />}
    </section>
  );
}
