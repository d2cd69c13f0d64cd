import type { Role } from '@assay/client';
import { type ReactNode, useId } from 'react';
import { useMay } from '../shell/session.tsx';

interface ActionProps {
  /** The lowest role that may. */
  readonly needs: Role;
  readonly onAct: () => void;
  readonly children: ReactNode;
  readonly look?: 'plain' | 'main' | 'danger';
  /** Why it makes no sense now; absent: it does. */
  readonly not?: string | null | undefined;
  readonly busy?: boolean;
  readonly pressed?: boolean;
  /** A key that does the same. */
  readonly shortcut?: string;
}

/** A button that does something at the service. To whom it is closed it says which role it opens to. */
export function Action({
  needs,
  onAct,
  children,
  look = 'plain',
  not,
  busy,
  pressed,
  shortcut,
}: ActionProps) {
  const id = useId();
  const may = useMay(needs);
  const why = may ? (not ?? null) : `Requires the ${needs} role`;
  return (
    <span className="action">
      <button
        type="button"
        className={`button is-${look}`}
        disabled={busy === true || why !== null}
        aria-describedby={why === null ? undefined : id}
        aria-pressed={pressed}
        aria-keyshortcuts={shortcut}
        onClick={onAct}
      >
        {children}
        {shortcut !== undefined && may && <kbd>{shortcut}</kbd>}
      </button>
      {why !== null && (
        <span id={id} className="action-why">
          {why}
        </span>
      )}
    </span>
  );
}
