import type { ChosenEpisode } from '../../steps/export/choose-episodes.ts';

/** An episode that stays or goes, and the set that it is of. */
export interface SourceEpisode extends ChosenEpisode {
  readonly source: string;
}
