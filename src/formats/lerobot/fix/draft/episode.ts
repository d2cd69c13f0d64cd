import type { JsonValue } from '#core';

/** Where a camera's pictures of an episode lie (v3). */
interface VideoWindow {
  chunk: number;
  file: number;
  from_s: number;
  to_s: number;
}

/** A row of the table of episodes: what it says, and what it will say. Null where it says nothing. */
export interface DraftEpisode {
  readonly index: number;
  length: number | null;
  tasks: readonly string[] | null;
  from: number | null;
  to: number | null;
  chunk: number | null;
  file: number | null;
  readonly videos: Map<string, VideoWindow>;
  /** The file of the table that holds it; null where the row is new. */
  readonly home: string | null;
  /** v2: the line as it is written. */
  readonly line: string | null;
  /** v2: members of the line. */
  readonly members: Readonly<Record<string, JsonValue>>;
}

/** An episode that no table lists yet. */
export function newEpisode(index: number): DraftEpisode {
  return {
    index,
    length: null,
    tasks: null,
    from: null,
    to: null,
    chunk: null,
    file: null,
    videos: new Map(),
    home: null,
    line: null,
    members: {},
  };
}
