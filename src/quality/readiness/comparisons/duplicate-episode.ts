import { sha256, significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import { episodesOfThat, someOf } from '../comparing/compared-signals.ts';
import { copiesAmong, hasSketch, rowSketch, type SignalRow } from '../comparing/signal-copies.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { type PicturePrints, picturePrints } from '../pictures/picture-prints.ts';
import { findTurnedPictures, type Turn } from '../pictures/turned-pictures.ts';

/** Of signals: see `SignalRow`. Of pictures: a digest of the files and, for a lone picture, its hash and block means. */
export type DuplicateRow = Partial<SignalRow> & {
  readonly files?: string;
  readonly hash?: readonly [high: number, low: number, luma_mean: number];
  readonly grid?: readonly number[];
};

export type CopyNote = {
  /** The earlier episode. */
  readonly of: string;
  readonly exact: boolean;
  /** Share of what was compared that is the same. */
  readonly alike: number;
  readonly of_pictures: boolean;
  /** Only the commands are the same; the state was read anew. */
  readonly of_commands?: boolean;
  /** A picture that lies otherwise than the earlier one. */
  readonly turn?: Turn;
};

export const duplicateEpisode = defineComparison<DuplicateRow>({
  id: 'duplicate_episode',
  title: 'Duplicate episodes',
  about:
    'Eight of an episode’s state rows (or action rows, where there is no state), chosen by their own hash, are compared with those of the other episodes: half of them in common make a copy, even with rows cut off, and so do rows of commands that seldom repeat. Where the pictures differ, or there are no pictures and the commands agree but the texts do not, one motion was recorded in several scenes, which the set reports once. Pictures without signals: equal files, or difference hashes at most 3 of 64 bits apart at the same brightness, or 8 x 8 block means that differ by at most 3 levels once one is mirrored or turned. The later episode is flagged.',
  judged_by: ['episode_length', 'image_integrity'],
  raises: {
    check: 'episode_length',
    flags: [
      {
        code: 'duplicate_episode',
        severity: 'blocking',
        meaning:
          'The signals copy those of an earlier episode, whole or in part, or its commands were replayed in the same scene.',
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
            note.of_commands === true
              ? `the commands of ${String(note.of)} again, row by row (${Math.round(100 * alike)} % of those compared); the state was read anew`
              : note.exact === true
                ? `a copy of ${String(note.of)}`
                : `rows of ${String(note.of)} again (${Math.round(100 * alike)} % of those compared)`,
        },
      ];
    },
  },
  collect(subject) {
    const stream = comparable(subject);
    if (stream === null) return pictureRow(subject);
    const rows = rowSketch(stream.series!);
    if (!hasSketch(rows)) return null;
    const commands = commandsOf(subject, stream);
    const pictures: PicturePrints | null = picturePrints(subject);
    return {
      rows,
      samples: stream.sample_count,
      text: textOf(subject),
      ...(commands === null ? {} : { commands }),
      ...(pictures === null ? {} : { pictures }),
    };
  },
  conclude(rows) {
    const signals: ComparedRow<SignalRow>[] = [];
    for (const { episode, row } of rows)
      if (row.rows !== undefined) signals.push({ episode, row: row as SignalRow });
    const pictures = rows.filter(({ row }) => row.rows === undefined);
    const notes = new Map<string, CopyNote>();
    const findings: Finding[] = [];
    const { copies, repeated } = copiesAmong(signals.map(({ row }) => row));
    for (const [i, { of, alike, of_commands }] of copies) {
      const exact = alike === 1 && signals[of].row.samples === signals[i].row.samples;
      const note = { alike, exact, of: signals[of].episode, of_pictures: false };
      notes.set(signals[i].episode, of_commands ? { ...note, of_commands } : note);
    }
    addPictures(pictures, notes);
    if (notes.size > 0) findings.push(findingOf(notes, rows.length));
    if (repeated.length > 0)
      findings.push(
        repeatedMotion(
          repeated.map((i) => signals[i].episode),
          rows.length,
        ),
      );
    return { findings, notes };
  },
});

/** Commands that repeat more often than this are set points, of which others may have the same. */
const mostRepeats = 0.5;

/** A sketch of the action's rows beside the state's, where they are too many-valued to be met by chance. */
function commandsOf({ episode, features }: Subject, compared: Stream): readonly number[] | null {
  if (compared.role !== 'state') return null;
  const action = episode.streams.find(
    ({ role, series, event_driven }) =>
      role === 'action' && series !== undefined && series.dims > 0 && event_driven === undefined,
  );
  if (action === undefined) return null;
  const { columns, samples, dims } = features.of(action);
  let least = samples;
  for (let d = 0; d < dims; d++) least = Math.min(least, columns.zero_steps[d]);
  if (samples < fewestCommands || least > mostRepeats * samples) return null;
  const rows = rowSketch(action.series!);
  return hasSketch(rows) ? rows : null;
}

/** Fewer rows may agree by chance where commands come in steps. */
const fewestCommands = 30;

function textOf({ episode }: Subject): string {
  const text = (episode.tasks ?? []).map((task) => task.text.trim()).join('|');
  return text.length <= 40 ? text : sha256(text).slice(0, 16);
}

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
  return {
    files: digest,
    hash: [lone.hash_high[0], lone.hash_low[0], significant(lone.luma_mean[0])],
    grid: [...lone.grid],
  };
}

function addPictures(pictures: readonly ComparedRow<DuplicateRow>[], notes: Map<string, CopyNote>): void {
  const first = new Map<string | undefined, string>();
  const near = findNearPictures(pictures.map(({ row }) => row));
  const turned = findTurnedPictures(pictures.map(({ row }) => row.grid ?? []));
  pictures.forEach(({ episode, row }, i) => {
    const same = first.get(row.files);
    if (same === undefined) first.set(row.files, episode);
    const alike = near.get(i);
    const lies = turned.get(i);
    if (same !== undefined) notes.set(episode, { alike: 1, exact: true, of: same, of_pictures: true });
    else if (alike !== undefined)
      notes.set(episode, copyNote(pictures[alike.of].episode, 1 - alike.distance / 64));
    else if (lies !== undefined)
      notes.set(episode, {
        ...copyNote(pictures[lies.of].episode, 1 - lies.difference / 255),
        turn: lies.turn,
      });
  });
}

const copyNote = (of: string, alike: number): CopyNote => ({
  alike: significant(alike, 3),
  exact: false,
  of,
  of_pictures: true,
});

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

function repeatedMotion(episodes: readonly string[], all: number): Finding {
  return {
    code: 'motion_repeated',
    severity: 'info',
    path: null,
    message: `${episodesOfThat(episodes.length, all, 'makes', 'make')} the motion of an earlier one before other pictures or under another text, as scripts and replays do: ${someOf(episodes)}`,
    advice: 'Nothing, if the scenes are meant to differ; keep one motion in one split.',
    evidence: { episodes: episodes.slice(0, 50), repeated: episodes.length },
  };
}

interface Hashed {
  readonly hash?: readonly [high: number, low: number, luma_mean: number];
}

/** Bits of 64 that may differ. Four bands of 16 bits: with three bits wrong one band is still equal. */
const mostBits = 3;
const brightness = 10;
/** A hash with so few gradients belongs to a plain picture and says nothing. */
const fewestGradients = 6;
const longestBucket = 256;

/** For every picture whose difference hash is at most `mostBits` from an earlier one's: the first such, and the bits. */
function findNearPictures(rows: readonly Hashed[]): Map<number, { of: number; distance: number }> {
  const found = new Map<number, { of: number; distance: number }>();
  const buckets = new Map<number, number[]>();
  rows.forEach(({ hash }, i) => {
    if (hash === undefined) return;
    const gradients = ones(hash[0]) + ones(hash[1]);
    if (gradients < fewestGradients || gradients > 64 - fewestGradients) return;
    for (const key of bandsOf(hash[0], hash[1])) {
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        buckets.set(key, [i]);
        continue;
      }
      for (const earlier of bucket) {
        const distance = bitsApart(hash, rows[earlier].hash!);
        const known = found.get(i);
        if (distance <= mostBits && (known === undefined || earlier < known.of))
          found.set(i, { of: earlier, distance });
      }
      if (bucket.length < longestBucket) bucket.push(i);
    }
  });
  return found;
}

function bandsOf(high: number, low: number): number[] {
  return [high >>> 16, 65536 + (high & 0xffff), 131072 + (low >>> 16), 196608 + (low & 0xffff)];
}

function bitsApart(one: readonly [number, number, number], other: readonly [number, number, number]): number {
  if (Math.abs(one[2] - other[2]) > brightness) return 64;
  return ones(one[0] ^ other[0]) + ones(one[1] ^ other[1]);
}

function ones(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
