import type { Call } from '#services';
import type { Store } from '#store';
import type { ProjectState } from '../context/project-state.ts';

/** A sentence, and what it rests on: ids, codes and numbers. */
export interface Sentence {
  readonly text: string;
  readonly evidence: Readonly<Record<string, string | number | null>>;
}

export interface Asked {
  readonly store: Store;
  readonly call: Call;
  readonly state: ProjectState;
}

/** A shape of question that has a deterministic answer. */
export interface QuestionShape {
  readonly id: string;
  /** How somebody may ask it. */
  readonly example: string;
  /** Words that tell it; the shape with the most of them in a question is meant. */
  readonly words: RegExp;
  readonly answer: (asked: Asked) => Promise<readonly Sentence[]>;
}

/** `1 episode`, `2 episodes`. */
export const count = (many: number, one: string, plural = `${one}s`): string =>
  `${many} ${many === 1 ? one : plural}`;
