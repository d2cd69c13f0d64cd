import { type ReactNode, useId } from 'react';
import type { Role } from '#client';
import { useMay } from '../shell/session.tsx';

interface ActionProps {
  /** Lowest role that may do it. */
  readonly needs: Role;
  readonly onAct: () => void;
  readonly children: ReactNode;
  readonly look?: 'plain' | 'main' | 'danger';
  /** Reason why it is disabled; absent if it is enabled. */
  readonly not?: string | null | undefined;
  readonly busy?: boolean;
  readonly pressed?: boolean;
  /** Keyboard shortcut. */
  readonly shortcut?: string;
  /** True if `RoleNote` shows the required role once for a group of buttons. */
  readonly grouped?: boolean;
}

/** A button that acts at the service. Users without the role see it disabled, with the role that it requires. */
export function Action({
  needs,
  onAct,
  children,
  look = 'plain',
  not,
  busy,
  pressed,
  shortcut,
  grouped = false,
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
        <span id={id} className={grouped && !may ? 'visually-hidden' : 'action-why'}>
          {why}
        </span>
      )}
    </span>
  );
}

/** Shows the role that a group of actions requires; nothing for users who have it. */
export function RoleNote({ needs }: { readonly needs: Role }) {
  return useMay(needs) ? null : <p className="action-why">Requires the {needs} role</p>;
}
