import { z } from 'zod';
import { sha256 } from '#core';
import type { Receipt } from '#core/api';
import { metricTitles } from '#core/titles';
import { type EpisodeObservation, type Metric, notAssessable, type Observation } from '../metric.ts';
import { readCheck } from '../read-check.ts';
import { readPictures } from '../read-pictures.ts';

const copyNote = z.looseObject({
  of: z.string(),
  exact: z.boolean(),
  alike: z.number(),
  of_pictures: z.boolean(),
  turn: z.string().optional(),
});

export const imageDuplicates: Metric = {
  id: 'image.duplicates',
  title: metricTitles['image.duplicates'],
  unit: 'copies',
  direction: 'lower_is_better',
  formula:
    '1 if its image or video files are byte-identical to those of an earlier episode; for single images also if the difference hashes differ by at most 3 of 64 bits at the same brightness, or the 8 x 8 block means by at most 3 levels after mirroring or rotating; otherwise 0',
  inputs:
    'SHA-256 of image and video files of all episodes; near copies found by the Duplicate episodes check',
  boundaries: {
    ideal: 0,
    review: 0,
    allowed_share: 0.02,
    source: 'a copy counts twice in the loss; chosen: one in fifty can be left out',
  },
  observe({ receipt }) {
    const read = readPictures(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const files = hashPictureFiles(receipt);
    if (typeof files !== 'string') return notAssessable(files.reason);
    const note = copyNote.safeParse(read.notes.duplicate_episode);
    const duplicate = note.success && note.data.of_pictures ? note.data : null;
    return {
      observed: duplicate === null ? 0 : 1,
      confidence: 'high',
      inputs:
        duplicate === null
          ? { files }
          : {
              files,
              of: duplicate.of,
              exact: duplicate.exact,
              alike: duplicate.alike,
              turn: duplicate.turn ?? null,
            },
      provenance: 'file contents, and hashes of single images, across all episodes',
    };
  },
  conclude: (observations) => ({ observations: markExactCopies(observations), diagnostics: [] }),
};

/** Returns a digest over the picture and video files of one episode, or the reason why they cannot be compared. */
function hashPictureFiles({ sources, episode }: Receipt): string | { readonly reason: string } {
  const files = sources.filter(({ role }) => role === 'image' || role === 'video');
  if (files.length === 0 || episode.locator.span !== undefined)
    return { reason: 'its images are not in separate files that could be compared' };
  if (files.some((file) => file.sha256 === null)) return { reason: 'its files were not hashed' };
  return sha256(files.map((file) => file.sha256).join()).slice(0, 16);
}

/**
 * Marks episodes whose files equal those of an earlier episode. Finds copies across sources; receipts note those
 * within a set.
 */
function markExactCopies(observations: readonly EpisodeObservation[]): Observation[] {
  const first = new Map<unknown, string>();
  return observations.map(({ episode, observation }) => {
    if ('not_assessable' in observation) return observation;
    const { files } = observation.inputs;
    const of = first.get(files);
    if (of === undefined) first.set(files, episode);
    if (of === undefined || observation.observed > 0) return observation;
    return { ...observation, observed: 1, inputs: { files, of, exact: true, alike: 1, turn: null } };
  });
}

const anyValues = z.looseObject({});
const leakNote = z.looseObject({ of: z.string(), of_split: z.string() });

export const splitLeakage: Metric = {
  id: 'split.leakage',
  title: metricTitles['split.leakage'],
  unit: 'copies',
  direction: 'lower_is_better',
  formula:
    '1 if the episode is a copy of one in another split, judging by its rows, files or images (also mirrored or rotated); otherwise 0',
  inputs: 'declared splits, and copies found across all episodes by the Split leakage check',
  boundaries: {
    ideal: 0,
    review: 0,
    allowed_share: 0,
    source: 'a copy in the test split measures memorisation; a single one is a defect',
  },
  observe({ receipt }) {
    const { split } = receipt.episode;
    if (split === undefined) return notAssessable('the dataset declares no splits');
    const length = readCheck(receipt, 'episode_length', anyValues);
    const pictures = readCheck(receipt, 'image_integrity', anyValues);
    const notes = [length, pictures].flatMap((read) =>
      read.status === 'measured' ? [read.notes.split_leakage] : [],
    );
    if (notes.length === 0) return notAssessable('the episode was not compared with others');
    const leaked = notes.map((note) => leakNote.safeParse(note)).find(({ success }) => success)?.data;
    return {
      observed: leaked === undefined ? 0 : 1,
      confidence: 'high',
      inputs: leaked === undefined ? { split } : { split, of: leaked.of, of_split: leaked.of_split },
      provenance: 'measured by the Split leakage check, across the dataset',
    };
  },
  conclude(observations) {
    const splits = new Set<unknown>();
    for (const { observation } of observations)
      if ('inputs' in observation) splits.add(observation.inputs.split);
    return {
      observations: observations.map(({ observation }) =>
        splits.size > 1 || 'not_assessable' in observation
          ? observation
          : notAssessable('all episodes are in one split'),
      ),
      diagnostics: [],
    };
  },
};
