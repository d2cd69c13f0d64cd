import { useId } from 'react';
import { Action } from '../../../components/action.tsx';
import { Complaint } from '../../../components/failure.tsx';
import { time } from '../../../components/words.ts';
import { useActorName, useMay } from '../../../shell/session.tsx';
import { Conflict } from './conflict.tsx';
import { useDraft } from './draft.ts';
import { type DenseText, standing, type useDenseText } from './use-dense-text.ts';

interface EditorProps {
  readonly episode_id: string;
  readonly text: DenseText;
  readonly dense: ReturnType<typeof useDenseText>;
}

const longest = 20_000;

/** The text as it stands, and the field to write another; the machine's text and earlier ones are kept. */
export function Editor({ episode_id, text, dense }: EditorProps) {
  const id = useId();
  const may = useMay('reviewer');
  const nameOf = useActorName();
  const [draft, setDraft] = useDraft(episode_id);
  const newest = text.edit?.id ?? null;
  const now = standing(text);
  const isBehind = draft !== null && draft.over !== newest && draft.text.trim() !== now;
  const shown = draft?.text ?? now;
  const write = (written: string) => setDraft({ text: written, over: draft === null ? newest : draft.over });
  const save = async (over: string | null) => {
    const done = await dense.save(shown.trim(), over).catch(() => false);
    if (done) setDraft(null);
  };
  return (
    <div className="editor">
      <p className="faint">{whoseOf(text, nameOf)}</p>
      <label className="visually-hidden" htmlFor={id}>
        {isBehind ? 'Your text' : 'Text'}
      </label>
      {isBehind && <p className="editor-label">Yours, not saved</p>}
      <textarea
        id={id}
        rows={6}
        maxLength={longest}
        value={shown}
        readOnly={!may}
        placeholder="Nothing was written yet."
        onChange={({ target }) => write(target.value)}
      />
      {isBehind ? (
        <Conflict
          theirs={text}
          busy={dense.saving}
          onOver={() => void save(newest)}
          onBelow={() => setDraft({ text: `${shown.trimEnd()}\n\n${now}`, over: newest })}
          onTheirs={() => setDraft(null)}
        />
      ) : (
        <div className="decide-row">
          <Action
            needs="reviewer"
            look="main"
            busy={dense.saving}
            not={whyNot(draft?.text, now)}
            onAct={() => void save(draft?.over ?? newest)}
          >
            Save the text
          </Action>
          {draft !== null && (
            <Action needs="reviewer" onAct={() => setDraft(null)}>
              Give up the change
            </Action>
          )}
        </div>
      )}
      {dense.error !== null && <Complaint error={dense.error} />}
    </div>
  );
}

function whoseOf({ machine, edit }: DenseText, nameOf: (actor: string) => string): string {
  if (edit !== null)
    return `Written by ${nameOf(edit.created_by)}, ${time(edit.created_at)}${machine === null ? '' : '; the machine’s text is below'}`;
  if (machine === null) return 'Neither a machine nor a person wrote of this episode.';
  return `Written by ${machine.model ?? 'the layer itself'}, ${time(machine.produced_at)}`;
}

function whyNot(draft: string | undefined, now: string): string | null {
  if (draft === undefined || draft.trim() === now) return 'Nothing was changed';
  return draft.trim() === '' ? 'A text cannot be empty' : null;
}
