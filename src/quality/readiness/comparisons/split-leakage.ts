import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { defineComparison } from '../comparison.ts';
import { duplicateEpisode } from './duplicate-episode.ts';
import { formatEpisodeList } from './shared/comparison-rows.ts';

/** Declared split of an episode, and its row for finding copies. */
export type LeakageRow = { readonly split: string; readonly copied: JsonObject };

type Note = {
  /** The earlier episode, its split, and the split of the flagged episode. */
  readonly of: string;
  readonly of_split: string;
  readonly split: string;
  readonly of_pictures: boolean;
};

export const splitLeakage = defineComparison<LeakageRow>({
  id: 'split_leakage',
  title: comparisonTitles.split_leakage,
  about:
    'If a dataset declares splits (training, validation, test): copies, found like duplicate episodes, in different splits, which would test a policy on its training data.',
  judged_by: ['episode_length'],
  raises: {
    check: 'episode_length',
    flags: [
      {
        code: 'split_leakage',
        severity: 'blocking',
        meaning: 'The episode is a copy of one in another split of the dataset.',
        advice: 'Remove it from one of the two splits: test data must not be used for training.',
      },
    ],
    judge({ of, of_split, of_pictures, split }) {
      if (of_pictures === true) return [];
      return [
        {
          flag: 'split_leakage',
          score: 0,
          observed: 1,
          message: () =>
            `the episode is in split ${String(split)} and a copy of ${String(of)} in split ${String(of_split)}`,
        },
      ];
    },
  },
  collect(subject) {
    const { split } = subject.episode;
    if (split === undefined) return null;
    const copied = duplicateEpisode.collect(subject);
    return copied === null ? null : { split, copied };
  },
  conclude(rows, facts) {
    const splits = new Map(rows.map(({ episode, row }) => [episode, row.split]));
    const notes = new Map<string, Note>();
    if (new Set(splits.values()).size < 2) return { findings: [], notes };
    const copies = duplicateEpisode.conclude(
      rows.map(({ episode, row }) => ({ episode, row: row.copied })),
      facts,
    ).notes;
    for (const [episode, { of, of_pictures }] of copies) {
      const [split, of_split] = [splits.get(episode), splits.get(String(of))];
      if (split === undefined || of_split === undefined || split === of_split) continue;
      notes.set(episode, { of: String(of), of_split, split, of_pictures: of_pictures === true });
    }
    return { findings: notes.size === 0 ? [] : [createFinding(notes)], notes };
  },
});

function createFinding(notes: ReadonlyMap<string, Note>): Finding {
  const pairs = [...notes].map(
    ([episode, { of, of_split, split }]) => `${episode} (${split}) is ${of} (${of_split})`,
  );
  return {
    code: 'split_leakage',
    severity: 'error',
    path: null,
    message: `${pairs.length === 1 ? '1 copy is' : `${pairs.length} copies are`} in a different split than the original: ${formatEpisodeList(pairs, 3)}`,
    advice: 'Remove each from one of the two splits: test data must not be used for training.',
    evidence: { leaks: pairs.length, pairs: pairs.slice(0, 50) },
  };
}
