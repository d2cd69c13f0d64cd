import type { Finding, Stream } from '#episode';
import { sha256, significant } from '#kernel';
import type { Subject } from '../check.ts';
import { episodesOfThat, someOf } from '../compared-signals.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { findNearPictures } from '../near-pictures.ts';
import { findCopies, hasSketch, rowSketch } from '../row-sketch.ts';

/** Of signals: a sketch of their rows. Of pictures: a digest of the files and, for a lone picture, its difference hash. */
export type DuplicateRow = {
  readonly rows?: readonly number[];
  readonly samples?: number;
  readonly files?: string;
  readonly hash?: readonly [high: number, low: number, luma_mean: number];
};

export type CopyNote = {
  /** The earlier episode. */
  readonly of: string;
  readonly exact: boolean;
  /** Share of what was compared that is the same. */
  readonly alike: number;
  readonly of_pictures: boolean;
};

export const duplicateEpisode = defineComparison<DuplicateRow>({
  id: 'duplicate_episode',
  title: 'Duplicate episodes',
  about:
    'Eight of an episode’s state rows (or action rows, where there is no state), chosen by their own hash, are held against those of the other episodes: half of them in common means a copy, also with rows cut off. Pictures without signals: equal files, or difference hashes at most 3 of 64 bits apart at the same brightness. The later one is told.',
  judged_by: ['episode_length', 'image_integrity'],
  raises: {
    check: 'episode_length',
    flags: [
      {
        code: 'duplicate_episode',
        severity: 'blocking',
        meaning: 'The signals are a copy of an earlier episode’s, whole or cut.',
        advice: 'Keep one of the two, above all when training and test sets are split.',
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
            note.exact === true
              ? `a copy of ${String(note.of)}`
              : `rows of ${String(note.of)} again (${Math.round(100 * alike)} % of those compared)`,
        },
      ];
    },
  },
  collect(subject) {
    const stream = comparable(subject);
    if (stream === null) return pictureRow(subject);
    const row = { rows: rowSketch(stream.series!), samples: stream.sample_count };
    return hasSketch(row) ? row : null;
  },
  conclude(rows) {
    const signals = rows.filter(({ row }) => row.rows !== undefined);
    const pictures = rows.filter(({ row }) => row.rows === undefined);
    const notes = new Map<string, CopyNote>();
    const findings: Finding[] = [];
    for (const [i, { of, alike }] of findCopies(signals.map(({ row }) => row))) {
      const exact = alike === 1 && signals[of].row.samples === signals[i].row.samples;
      notes.set(signals[i].episode, { alike, exact, of: signals[of].episode, of_pictures: false });
    }
    addPictures(pictures, notes);
    if (notes.size > 0) findings.push(findingOf(notes, rows.length));
    return { findings, notes };
  },
});

/** The state, else the action, else the first numbers there are: what nobody can repeat by chance. */
function comparable({ episode, features }: Subject): Stream | null {
  const numeric = episode.streams.filter(
    ({ series, sample_count }) => series !== undefined && series.dims > 0 && sample_count >= 10,
  );
  const moving = numeric.filter((stream) => features.of(stream).std.some((std) => std > 0));
  for (const role of ['state', 'action'] as const) {
    const own = moving.find((stream) => stream.role === role);
    if (own !== undefined) return own;
  }
  return moving[0] ?? null;
}

function pictureRow({ episode, cameras }: Subject): DuplicateRow | null {
  const files = episode.sources.filter(({ role }) => role === 'image' || role === 'video');
  if (files.length === 0 || episode.locator.span !== undefined) return null;
  if (files.some((file) => file.sha256 === null)) return null;
  const digest = sha256(files.map((file) => file.sha256).join()).slice(0, 16);
  const lone = cameras.size === 1 ? [...cameras.values()][0].sampled : undefined;
  if (lone === undefined || lone.index.length !== 1) return { files: digest };
  return { files: digest, hash: [lone.hash_high[0], lone.hash_low[0], significant(lone.luma_mean[0])] };
}

function addPictures(pictures: readonly ComparedRow<DuplicateRow>[], notes: Map<string, CopyNote>): void {
  const first = new Map<string | undefined, string>();
  const near = findNearPictures(pictures.map(({ row }) => row));
  pictures.forEach(({ episode, row }, i) => {
    const same = first.get(row.files);
    const alike = near.get(i);
    if (same !== undefined) notes.set(episode, { alike: 1, exact: true, of: same, of_pictures: true });
    else {
      first.set(row.files, episode);
      if (alike !== undefined)
        notes.set(episode, {
          alike: significant(1 - alike.distance / 64, 3),
          exact: false,
          of: pictures[alike.of].episode,
          of_pictures: true,
        });
    }
  });
}

function findingOf(notes: ReadonlyMap<string, CopyNote>, episodes: number): Finding {
  const copies = [...notes.keys()];
  const exact = [...notes.values()].filter((note) => note.exact).length;
  return {
    code: 'duplicate_episodes',
    severity: 'warning',
    path: null,
    message: `${episodesOfThat(copies.length, episodes, 'copies', 'copy')} an earlier one (${exact} exactly): ${someOf(copies)}`,
    advice: 'Keep one of each, above all before splitting into training and test sets.',
    evidence: { copies: copies.length, episodes: copies.slice(0, 50), exact },
  };
}
