import { useId, useState } from 'react';
import type { Episode } from '#client';
import { decisions, decisionWords } from '#quality/report/views';
import { Action, RoleNote } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { useMay } from '../../shell/session.tsx';
import { useDecide } from './use-decide.ts';

/** Buttons to decide on an episode, with a note and undo. */
export function Decide({ episode }: { readonly episode: Episode }) {
  const id = useId();
  const may = useMay('reviewer');
  const [note, setNote] = useState('');
  const { made, decide, undo, error } = useDecide();
  return (
    <div className="decide">
      <div className="decide-row">
        {decisions.map((each) => (
          <Action
            key={each}
            needs="reviewer"
            grouped
            pressed={episode.review_decision === each}
            onAct={() =>
              void decide(episode, each, note).then(
                () => setNote(''),
                () => {},
              )
            }
          >
            <span className={`badge is-${each}`}>
              <Glyph name={each} /> {decisionWords[each]}
            </span>
          </Action>
        ))}
        <Action
          needs="reviewer"
          grouped
          not={made.length === 0 ? 'Nothing to undo' : null}
          onAct={() => void undo().catch(() => {})}
        >
          Undo
        </Action>
      </div>
      <RoleNote needs="reviewer" />
      {may && (
        <>
          <label className="visually-hidden" htmlFor={id}>
            Note
          </label>
          <input
            id={id}
            className="note-field"
            placeholder="Note (optional)"
            maxLength={1000}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </>
      )}
      {error !== null && <Complaint error={error} />}
    </div>
  );
}
