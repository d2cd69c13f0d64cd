import { type FormEvent, useState } from 'react';
import { decisions, decisionWords } from '#quality/report/views';
import { Action, RoleNote } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { count } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';
import { useBulk } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

/** Decisions and tags for all selected episodes at once; each decision is stored as a review of its own. */
export function SelectionBar({ selection }: { readonly selection: Selection }) {
  const { episodes } = selection;
  const may = useMay('reviewer');
  const { progress, result, decide, addTag } = useBulk(selection);
  const [tag, setTag] = useState('');
  const submitTag = (event: FormEvent) => {
    event.preventDefault();
    const added = tag.trim();
    if (added !== '') void addTag(added).then(() => setTag(''));
  };
  const complaint = result.error !== null && <Complaint error={result.error} />;
  if (episodes.length === 0)
    return (
      <>
        <p role="status">{result.text}</p>
        {complaint}
      </>
    );
  return (
    <section className="selection-bar" aria-label="Selected episodes">
      <b>{count(episodes.length)} selected</b>
      {decisions.map((decision) => (
        <Action
          key={decision}
          needs="reviewer"
          grouped
          busy={progress !== null}
          onAct={() => void decide(decisionWords[decision], decision)}
        >
          <span className={`badge is-${decision}`}>
            <Glyph name={decision} /> {decisionWords[decision]}
          </span>
        </Action>
      ))}
      {may && (
        <form onSubmit={submitTag}>
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
        {progress === null ? result.text : `${count(progress.done)} of ${count(progress.of)}`}
      </span>
      {complaint}
    </section>
  );
}
