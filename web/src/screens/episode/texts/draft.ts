import { useState } from 'react';
import { readStoredJson, writeStored } from '../../../components/browser-storage.ts';

/** Unsaved edit of an episode's text. */
export interface Draft {
  readonly text: string;
  /** Id of the edit that it is based on; null if there was none. */
  readonly over: string | null;
}

const keyOf = (episode_id: string): string => `assay-draft-${episode_id}`;

/**
 * Returns the draft of an episode's text. It survives navigation, reload and sign-out until it is saved or
 * discarded, unless the browser forbids storage.
 */
export function useDraft(episode_id: string) {
  const [draft, show] = useState(() => readStoredJson('session', keyOf(episode_id)) as Draft | null);
  const setDraft = (next: Draft | null) => {
    writeStored('session', keyOf(episode_id), next === null ? null : JSON.stringify(next));
    show(next);
  };
  return [draft, setDraft] as const;
}
