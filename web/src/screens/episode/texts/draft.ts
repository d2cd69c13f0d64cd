import { useState } from 'react';

/** Unsaved edit of an episode's text. */
export interface Draft {
  readonly text: string;
  /** Id of the edit that it is based on; null if there was none. */
  readonly over: string | null;
}

const keyOf = (episode_id: string): string => `assay-draft-${episode_id}`;

/**
 * Returns the draft of an episode's text. It survives navigation, reload and sign-out until it is saved or discarded.
 */
export function useDraft(episode_id: string) {
  const [draft, show] = useState<Draft | null>(() => {
    const kept = sessionStorage.getItem(keyOf(episode_id));
    return kept === null ? null : (JSON.parse(kept) as Draft);
  });
  const setDraft = (next: Draft | null) => {
    if (next === null) sessionStorage.removeItem(keyOf(episode_id));
    else sessionStorage.setItem(keyOf(episode_id), JSON.stringify(next));
    show(next);
  };
  return [draft, setDraft] as const;
}
