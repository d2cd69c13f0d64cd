import { sha256, significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import {
  computePicturePrints,
  findTurnedPictures,
  type PicturePrints,
  type Turn,
} from '../pictures/picture-similarity.ts';
import { formatEpisodeList, formatEpisodeShare } from './shared/comparison-rows.ts';
import { findSignalCopies, isFullSketch, type SignalRow, sketchRows } from './shared/signal-copies.ts';

/**
 * For signals see `SignalRow`. For pictures: a digest of the files and, for a single picture, its hash and
 * block means.
 */
export type DuplicateRow = Partial<SignalRow> & {
  readonly files?: string;
  readonly hash?: readonly [high: number, low: number, luma_mean: number];
  readonly grid?: readonly number[];
};

/** Note on an episode that copies an earlier one; stored in receipts. */
export type CopyNote = {
  /** Id of the earlier episode. */
  readonly of: string;
  readonly exact: boolean;
  /** Fraction of the compared data that is equal. */
  readonly alike: number;
  readonly of_pictures: boolean;
  /** `true` if only the commands are equal; the state was recorded again. */
  readonly of_commands?: boolean;
  /** Orientation relative to the earlier picture, if it differs. */
  readonly turn?: Turn;
};

export const duplicateEpisode = defineComparison<DuplicateRow>({
  id: 'duplicate_episode',
  title: comparisonTitles.duplicate_episode,
  about:
    'Compares eight state rows per episode (action rows if there is no state), selected by their hash, with those of the other episodes. An episode that shares half of them is a copy, even if rows were cut off; so is one that shares rows of commands that rarely repeat. If the images differ, or if there are no images and the commands agree but the texts differ, the same motion was recorded in several scenes, which is reported once for the dataset. Images without signals are copies if their files are equal, if their difference hashes differ by at most 3 of 64 bits at the same brightness, or if their 8 x 8 block means differ by at most 3 levels after mirroring or rotating. The later episode is flagged.',
  judged_by: ['episode_length', 'image_integrity'],
  raises: {
    check: 'episode_length',
    flags: [
      {
        code: 'duplicate_episode',
        severity: 'blocking',
        meaning:
          'The signals are a full or partial copy of an earlier episode, or its commands were replayed in the same scene.',
        advice: 'Keep only one of the two, especially before splitting into training and test sets.',
      },
    ],
    judge(note) {
      if (note.of_pictures === true) return [];
      const alike = Number(note.alike);
      return [
        {
          flag: 'duplicate_episode',
          score: 0,
          observed: alike,
          message: () =>
            note.of_commands === true
              ? `replays the commands of ${String(note.of)} row by row (${Math.round(100 * alike)} % of the compared rows); the state was recorded anew`
              : note.exact === true
                ? `exact copy of ${String(note.of)}`
                : `shares rows with ${String(note.of)} (${Math.round(100 * alike)} % of the compared rows)`,
        },
      ];
    },
  },
  collect(subject) {
    const stream = selectStream(subject);
    if (stream === null) return createPictureRow(subject);
    const rows = sketchRows(stream.series!);
    if (!isFullSketch(rows)) return null;
    const commands = sketchCommands(subject, stream);
    const pictures: PicturePrints | null = computePicturePrints(subject);
    return {
      rows,
      samples: stream.sample_count,
      text: createTextKey(subject),
      ...(commands === null ? {} : { commands }),
      ...(pictures === null ? {} : { pictures }),
    };
  },
  conclude(rows) {
    const signals: ComparisonRow<SignalRow>[] = [];
    for (const { episode, row } of rows)
      if (row.rows !== undefined) signals.push({ episode, row: row as SignalRow });
    const pictures = rows.filter(({ row }) => row.rows === undefined);
    const notes = new Map<string, CopyNote>();
    const findings: Finding[] = [];
    const { copies, repeated } = findSignalCopies(signals.map(({ row }) => row));
    for (const [i, { of, alike, of_commands }] of copies) {
      const exact = alike === 1 && signals[of].row.samples === signals[i].row.samples;
      const note = { alike, exact, of: signals[of].episode, of_pictures: false };
      notes.set(signals[i].episode, of_commands ? { ...note, of_commands } : note);
    }
    addPictureCopies(pictures, notes);
    if (notes.size > 0) findings.push(createCopyFinding(notes, rows.length));
    if (repeated.length > 0)
      findings.push(
        createRepeatFinding(
          repeated.map((i) => signals[i].episode),
          rows.length,
        ),
      );
    return { findings, notes };
  },
});

/**
 * Maximum fraction of repeated rows in commands; above, they are set points, which may coincide by chance.
 */
const maxRepeatShare = 0.5;

/** Sketches the rows of the action, in addition to the state's; `null` if they may coincide by chance. */
function sketchCommands({ episode, features }: Subject, compared: Stream): readonly number[] | null {
  if (compared.role !== 'state') return null;
  const action = episode.streams.find(
    ({ role, series, event_driven }) =>
      role === 'action' && series !== undefined && series.dims > 0 && event_driven === undefined,
  );
  if (action === undefined) return null;
  const { columns, samples, dims } = features.forStream(action);
  let minZeroSteps = samples;
  for (let d = 0; d < dims; d++) minZeroSteps = Math.min(minZeroSteps, columns.zero_steps[d]);
  if (samples < minCommandRows || minZeroSteps > maxRepeatShare * samples) return null;
  const rows = sketchRows(action.series!);
  return isFullSketch(rows) ? rows : null;
}

/** Minimum number of command rows; fewer may agree by chance. */
const minCommandRows = 30;

function createTextKey({ episode }: Subject): string {
  const text = (episode.tasks ?? []).map((task) => task.text.trim()).join('|');
  return text.length <= 40 ? text : sha256(text).slice(0, 16);
}

/**
 * Returns the stream to compare: the state, else the action, else the first numeric stream that moves; `null`
 * if there is none.
 */
function selectStream({ episode, features }: Subject): Stream | null {
  const numeric = episode.streams.filter(
    ({ series, sample_count }) => series !== undefined && series.dims > 0 && sample_count >= 10,
  );
  const moving = numeric.filter((stream) => features.forStream(stream).std.some((std) => std > 0));
  for (const role of ['state', 'action'] as const) {
    const match = moving.find((stream) => stream.role === role);
    if (match !== undefined) return match;
  }
  return moving[0] ?? null;
}

function createPictureRow({ episode, cameras }: Subject): DuplicateRow | null {
  const files = episode.sources.filter(({ role }) => role === 'image' || role === 'video');
  if (files.length === 0 || episode.locator.span !== undefined) return null;
  if (files.some((file) => file.sha256 === null)) return null;
  const digest = sha256(files.map((file) => file.sha256).join()).slice(0, 16);
  const lone = cameras.size === 1 ? [...cameras.values()][0].sampled : undefined;
  if (lone === undefined || lone.index.length !== 1) return { files: digest };
  return {
    files: digest,
    hash: [lone.hash_high[0], lone.hash_low[0], significant(lone.luma_mean[0])],
    grid: [...lone.grid],
  };
}

function addPictureCopies(
  pictures: readonly ComparisonRow<DuplicateRow>[],
  notes: Map<string, CopyNote>,
): void {
  const first = new Map<string | undefined, string>();
  const nearCopies = findNearPictures(pictures.map(({ row }) => row));
  const turned = findTurnedPictures(pictures.map(({ row }) => row.grid ?? []));
  pictures.forEach(({ episode, row }, i) => {
    const same = first.get(row.files);
    if (same === undefined) first.set(row.files, episode);
    const nearCopy = nearCopies.get(i);
    const turnedCopy = turned.get(i);
    if (same !== undefined) notes.set(episode, { alike: 1, exact: true, of: same, of_pictures: true });
    else if (nearCopy !== undefined)
      notes.set(episode, createCopyNote(pictures[nearCopy.of].episode, 1 - nearCopy.distance / 64));
    else if (turnedCopy !== undefined)
      notes.set(episode, {
        ...createCopyNote(pictures[turnedCopy.of].episode, 1 - turnedCopy.difference / 255),
        turn: turnedCopy.turn,
      });
  });
}

const createCopyNote = (of: string, alike: number): CopyNote => ({
  alike: significant(alike, 3),
  exact: false,
  of,
  of_pictures: true,
});

function createCopyFinding(notes: ReadonlyMap<string, CopyNote>, episodes: number): Finding {
  const copies = [...notes.keys()];
  const exact = [...notes.values()].filter((note) => note.exact).length;
  return {
    code: 'duplicate_episodes',
    severity: 'warning',
    path: null,
    message: `${formatEpisodeShare(copies.length, episodes, 'is a copy', 'are copies')} of an earlier one (${exact} exact ${exact === 1 ? 'copy' : 'copies'}): ${formatEpisodeList(copies)}`,
    advice: 'Keep only one of each, especially before splitting into training and test sets.',
    evidence: { copies: copies.length, episodes: copies.slice(0, 50), exact },
  };
}

function createRepeatFinding(episodes: readonly string[], all: number): Finding {
  return {
    code: 'motion_repeated',
    severity: 'info',
    path: null,
    message: `${formatEpisodeShare(episodes.length, all, 'repeats', 'repeat')} the motion of an earlier one with different images or another text, as scripted or replayed recordings do: ${formatEpisodeList(episodes)}`,
    advice:
      'No action needed if the scenes differ on purpose; keep repetitions of a motion in the same split.',
    evidence: { episodes: episodes.slice(0, 50), repeated: episodes.length },
  };
}

interface HashedPicture {
  readonly hash?: readonly [high: number, low: number, luma_mean: number];
}

/**
 * Maximum number of differing bits of 64. With four bands of 16 bits and three bits wrong, one band is still
 * equal.
 */
const maxBitDistance = 3;
const maxBrightnessDifference = 10;
/**
 * Minimum number of gradients in a hash (and of missing ones); otherwise the picture is uniform and the hash
 * says nothing.
 */
const minGradients = 6;
const maxBucketSize = 256;

/**
 * Finds, for every picture whose difference hash is at most `maxBitDistance` from an earlier one's, the first
 * such and the distance.
 */
function findNearPictures(rows: readonly HashedPicture[]): Map<number, { of: number; distance: number }> {
  const found = new Map<number, { of: number; distance: number }>();
  const buckets = new Map<number, number[]>();
  rows.forEach(({ hash }, i) => {
    if (hash === undefined) return;
    const gradients = countOnes(hash[0]) + countOnes(hash[1]);
    if (gradients < minGradients || gradients > 64 - minGradients) return;
    for (const key of computeHashBands(hash[0], hash[1])) {
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        buckets.set(key, [i]);
        continue;
      }
      for (const earlier of bucket) {
        const distance = computeBitDistance(hash, rows[earlier].hash!);
        const earlierMatch = found.get(i);
        if (distance <= maxBitDistance && (earlierMatch === undefined || earlier < earlierMatch.of))
          found.set(i, { of: earlier, distance });
      }
      if (bucket.length < maxBucketSize) bucket.push(i);
    }
  });
  return found;
}

function computeHashBands(high: number, low: number): number[] {
  return [high >>> 16, 65536 + (high & 0xffff), 131072 + (low >>> 16), 196608 + (low & 0xffff)];
}

function computeBitDistance(
  one: readonly [number, number, number],
  other: readonly [number, number, number],
): number {
  if (Math.abs(one[2] - other[2]) > maxBrightnessDifference) return 64;
  return countOnes(one[0] ^ other[0]) + countOnes(one[1] ^ other[1]);
}

function countOnes(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
