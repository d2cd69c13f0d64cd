import { Action } from '../../../components/action.tsx';
import { time } from '../../../components/words.ts';
import { useActorName } from '../../../shell/session.tsx';
import { currentText, type DenseText } from './use-dense-text.ts';

interface ConflictProps {
  readonly theirs: DenseText;
  readonly busy: boolean;
  /** Overwrites the other text, which stays in the history. */
  readonly onOver: () => void;
  /** Appends the other text to the draft, to be merged by hand. */
  readonly onBelow: () => void;
  /** Discards the draft. */
  readonly onTheirs: () => void;
}

/** Shows the text that somebody else saved during editing, and lets the person overwrite it, append it or keep it. */
export function Conflict({ theirs, busy, onOver, onBelow, onTheirs }: ConflictProps) {
  const { edit } = theirs;
  const nameOf = useActorName();
  return (
    <div className="conflict" role="alert">
      <p>
        <b>Someone else changed this text while you were editing.</b> Your version is not saved yet. Choose
        which text to keep:
      </p>
      <p className="editor-label">
        Their version{edit === null ? '' : `, by ${nameOf(edit.created_by)}, ${time(edit.created_at)}`}
      </p>
      <blockquote>{currentText(theirs)}</blockquote>
      <div className="decide-row">
        <Action needs="reviewer" look="main" busy={busy} onAct={onOver}>
          Overwrite with my text
        </Action>
        <Action needs="reviewer" busy={busy} onAct={onBelow}>
          Append theirs to mine
        </Action>
        <Action needs="reviewer" look="danger" busy={busy} onAct={onTheirs}>
          Discard mine
        </Action>
      </div>
      <p className="faint">If you overwrite it, their version stays in the history.</p>
    </div>
  );
}
