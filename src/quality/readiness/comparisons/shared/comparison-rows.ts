import { listText, sha256 } from '#core';
import type { Stream } from '#core/episode';
import type { Subject } from '../../check.ts';
import type { ComparisonRow } from '../../comparison.ts';

/** Maximum number of dimensions per episode and role that comparisons use, so that rows stay small. */
const maxDimensions = 64;

/**
 * Returns the numeric, non-empty streams of a role in recording order, up to the first one that exceeds
 * `maxDimensions` dimensions in total.
 */
export function selectComparedStreams({ episode }: Subject, role: 'state' | 'action'): Stream[] {
  const streams: Stream[] = [];
  let dims = 0;
  for (const stream of episode.streams) {
    if (stream.role !== role || stream.series === undefined || stream.sample_count === 0) continue;
    dims += stream.series.dims;
    if (dims > maxDimensions) break;
    streams.push(stream);
  }
  return streams;
}

/**
 * Describes streams and their dimensions, as in `observation.state:6,observation.gripper:1`. Rows of equal
 * layout can be compared dimension by dimension.
 */
export function describeLayout(streams: readonly Stream[]): string {
  let layout = '';
  for (const stream of streams) layout += `${layout === '' ? '' : ','}${stream.id}:${stream.series!.dims}`;
  return layout;
}

/**
 * Returns the stream and its dimension at a position in a layout such as `state:7,action:6`; the whole layout as
 * stream if the position lies beyond it.
 */
export function locateDimension(
  layout: string,
  position: number,
): { readonly stream: string; readonly dimension: number } {
  let first = 0;
  for (const part of layout.split(',')) {
    const colon = part.lastIndexOf(':');
    const dims = Number(part.slice(colon + 1));
    if (position < first + dims) return { stream: part.slice(0, colon), dimension: position - first };
    first += dims;
  }
  return { stream: layout, dimension: position };
}

/** Groups rows by a key, in the order in which the keys first appear. */
export function groupBy<Row>(
  rows: readonly ComparisonRow<Row>[],
  getKey: (row: Row) => string,
): Map<string, ComparisonRow<Row>[]> {
  const groups = new Map<string, ComparisonRow<Row>[]>();
  for (const row of rows) {
    const key = getKey(row.row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** Digest of the last text: consecutive episodes mostly share theirs. */
let lastDigest = { text: '', digest: '' };

/** Returns the first 8 hexadecimal digits of the SHA-256 of the episode's task texts, so that rows stay small. */
export function digestTexts({ episode }: Subject): string {
  const text = (episode.tasks ?? []).map((task) => task.text.trim()).join('|');
  if (text !== lastDigest.text) lastDigest = { text, digest: sha256(text).slice(0, 8) };
  return lastDigest.digest;
}

/** Lists the first `maxNamed` episodes, as in `episode_000003, episode_000007 and 12 more`. */
export const formatEpisodeList = (episodes: readonly string[], maxNamed = 5): string =>
  listText(episodes, maxNamed);

/** Formats a count of episodes with its verb, as in `1 episode has` or `3 episodes have`. */
export function formatEpisodeCount(count: number, one: string, several: string): string {
  return count === 1 ? `1 episode ${one}` : `${count} episodes ${several}`;
}

/** Formats a share of episodes with its verb, as in `1 of 100 episodes has` or `4 of 100 episodes have`. */
export function formatEpisodeShare(count: number, all: number, one: string, several: string): string {
  return `${count} of ${all} episodes ${count === 1 ? one : several}`;
}

/** Encodes ids as one text with a line per id, as stored in comparison rows: equal lists give equal texts. */
export function encodeIdList(ids: readonly string[]): string {
  return ids.map(escapeId).join('\n');
}

/** Decodes a text from `encodeIdList` to the ids; an empty text gives an empty list. */
export function decodeIdList(list: string): string[] {
  return list === '' ? [] : list.split('\n').map(unescapeId);
}

/** Escapes backslashes and line breaks, which names of topics and features may contain. */
function escapeId(id: string): string {
  return /[\\\n]/.test(id) ? id.replaceAll('\\', '\\\\').replaceAll('\n', '\\n') : id;
}

function unescapeId(line: string): string {
  return line.includes('\\') ? line.replaceAll(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign)) : line;
}
