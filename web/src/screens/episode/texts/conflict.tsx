import { Action } from '../../../components/action.tsx';
import { time } from '../../../components/words.ts';
import { useActorName } from '../../../shell/session.tsx';
import { type DenseText, standing } from './use-dense-text.ts';

interface ConflictProps {
  readonly theirs: DenseText;
  readonly busy: boolean;
  /** Saves what is typed over theirs, which stays in the history. */
  readonly onOver: () => void;
  /** Puts theirs below what is typed, to be put together by hand. */
  readonly onBelow: () => void;
  /** Gives up what is typed. */
  readonly onTheirs: () => void;
}

/** Somebody else wrote meanwhile: both texts stand here, and nothing is lost before the person chooses. */
export function Conflict({ theirs, busy, onOver, onBelow, onTheirs }: ConflictProps) {
  const { edit } = theirs;
  const nameOf = useActorName();
  return (
    <div className="conflict" role="alert">
      <p>
        <b>Somebody else has written since you began.</b> Nothing of yours was saved, and nothing is lost.
      </p>
      <p className="editor-label">
        Theirs{edit === null ? '' : `, by ${nameOf(edit.created_by)}, ${time(edit.created_at)}`}
      </p>
      <blockquote>{standing(theirs)}</blockquote>
      <div className="decide-row">
        <Action needs="reviewer" look="main" busy={busy} onAct={onOver}>
          Save mine over theirs
        </Action>
        <Action needs="reviewer" busy={busy} onAct={onBelow}>
          Put theirs below mine
        </Action>
        <Action needs="reviewer" look="danger" busy={busy} onAct={onTheirs}>
          Give up mine
        </Action>
      </div>
      <p className="faint">Saved over, theirs stays in the history.</p>
    </div>
  );
}
