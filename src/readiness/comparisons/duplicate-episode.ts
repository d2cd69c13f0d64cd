import type { Finding, Stream } from '#episode';
import { sha256, significant } from '#kernel';
import type { Subject } from '../check.ts';
import { someOf } from '../compared-signals.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { signatureOf } from '../motion-signature.ts';
import { findNearPictures } from '../near-pictures.ts';
import { findNearSignatures } from '../near-signatures.ts';

/** Of signals: `exact` and the signature. Of pictures: `exact` and, for a lone picture, its difference hash. */
export type DuplicateRow = {
  readonly exact: number | string;
  readonly signature?: readonly number[];
  readonly hash?: readonly [high: number, low: number, luma_mean: number];
};

/** What a later copy is told: whose copy it is, and how near. */
export type Copy = { readonly of: number; readonly distance: number };

type CopyNote = {
  readonly of: string;
  readonly exact: boolean;
  readonly distance: number;
  readonly of_pictures: boolean;
};

export const duplicateEpisode = defineComparison<DuplicateRow>({
  id: 'duplicate_episode',
  title: 'Duplicate episodes',
  about:
    'Equal numbers in every state and action sample are an exact copy; six random projections of the motion at sixteen times within 0.1 % of their spread over the dataset, and the same length, are a near one. Pictures without signals: equal file, or difference hashes at most 3 of 64 bits apart at the same brightness. The later one is told.',
  judged_by: ['episode_length', 'image_integrity'],
  collect(subject) {
    const streams = comparable(subject);
    if (streams.length > 0) return signatureOf(streams, subject.features);
    return pictureRow(subject);
  },
  conclude(rows) {
    const signals = rows.filter(({ row }) => row.signature !== undefined);
    const pictures = rows.filter(({ row }) => row.signature === undefined);
    const findings: Finding[] = [];
    const notes = new Map<string, CopyNote>();
    tell(
      signals,
      exactCopies(signals),
      findNearSignatures(signals.map(({ row }) => row)),
      false,
      findings,
      notes,
    );
    tell(
      pictures,
      exactCopies(pictures),
      findNearPictures(pictures.map(({ row }) => row)),
      true,
      findings,
      notes,
    );
    return { findings, notes };
  },
});

/** State and action; a recording without either is compared by all of its numbers. */
function comparable({ episode, features }: Subject): Stream[] {
  const numeric = episode.streams.filter(
    (stream) => stream.series !== undefined && stream.sample_count >= 10,
  );
  const own = numeric.filter((stream) => stream.role === 'state' || stream.role === 'action');
  const chosen = own.length > 0 ? own : numeric;
  return chosen.some((stream) => features.of(stream).std.some((std) => std > 0)) ? chosen : [];
}

function pictureRow({ episode, cameras }: Subject): DuplicateRow | null {
  const files = episode.sources.filter((source) => source.role === 'image' || source.role === 'video');
  if (files.length === 0 || episode.locator.span !== undefined) return null;
  if (files.some((file) => file.sha256 === null)) return null;
  const exact = sha256(files.map((file) => file.sha256).join()).slice(0, 16);
  const lone = cameras.size === 1 ? [...cameras.values()][0].sampled : undefined;
  if (lone === undefined || lone.index.length !== 1) return { exact };
  return { exact, hash: [lone.hash_high[0], lone.hash_low[0], significant(lone.luma_mean[0])] };
}

/** Index of the first row with the same numbers, for every later one. */
function exactCopies(rows: readonly ComparedRow<DuplicateRow>[]): Map<number, Copy> {
  const first = new Map<number | string, number>();
  const copies = new Map<number, Copy>();
  rows.forEach(({ row }, i) => {
    const of = first.get(row.exact);
    if (of === undefined) first.set(row.exact, i);
    else copies.set(i, { of, distance: 0 });
  });
  return copies;
}

function tell(
  rows: readonly ComparedRow<DuplicateRow>[],
  exact: ReadonlyMap<number, Copy>,
  near: ReadonlyMap<number, Copy>,
  ofPictures: boolean,
  findings: Finding[],
  notes: Map<string, CopyNote>,
): void {
  const copies: string[] = [];
  for (let i = 0; i < rows.length; i++) {
    const copy = exact.get(i) ?? near.get(i);
    if (copy === undefined) continue;
    copies.push(rows[i].episode);
    notes.set(rows[i].episode, {
      distance: significant(copy.distance, 3),
      exact: exact.has(i),
      of: rows[copy.of].episode,
      of_pictures: ofPictures,
    });
  }
  if (copies.length === 0) return;
  findings.push({
    code: 'duplicate_episodes',
    severity: 'warning',
    path: null,
    message: `${copies.length} of ${rows.length} episodes copy an earlier one (${exact.size} exactly): ${someOf(copies)}`,
    advice: 'Keep one of each, above all before splitting into training and test sets.',
    evidence: { copies: copies.length, episodes: copies.slice(0, 50), exact: exact.size },
  });
}
