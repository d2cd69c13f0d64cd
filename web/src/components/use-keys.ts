import { useEffect, useEffectEvent } from 'react';

/** Registers single-key shortcuts, active unless the user types in a field, holds a modifier or sees a modal dialog. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const typing =
      target instanceof Element && target.closest('input, textarea, select, [role="menu"]') !== null;
    const isCovered = document.querySelector('dialog:modal') !== null;
    if (typing || isCovered || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const act = keys[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
