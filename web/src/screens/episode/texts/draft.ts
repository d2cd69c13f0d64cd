import { useState } from 'react';

/** What somebody types over the text of an episode. */
export interface Draft {
  readonly text: string;
  /** The edit that it was begun over; null: there was none. */
  readonly over: string | null;
}

const keyOf = (episode_id: string): string => `assay-draft-${episode_id}`;

/** A draft outlives leaving the screen, loading the page anew and being signed out, until it is saved or given up. */
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
