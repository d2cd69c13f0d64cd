import { sha256 } from '#core';
import type { Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import type { ComparedRow } from '../comparison.ts';

/** Dimensions of an episode that comparisons look at; more are left out, so that rows stay small. */
const mostDimensions = 64;

/** Numeric streams of a role in the order of the recording, as far as `mostDimensions` goes. */
export function comparedStreams({ episode }: Subject, role: 'state' | 'action'): Stream[] {
  const streams: Stream[] = [];
  let dims = 0;
  for (const stream of episode.streams) {
    if (stream.role !== role || stream.series === undefined || stream.sample_count === 0) continue;
    dims += stream.series.dims;
    if (dims > mostDimensions) break;
    streams.push(stream);
  }
  return streams;
}

/** `observation.state:6,observation.gripper:1`: rows of the same layout can be compared dimension by dimension. */
export function layoutOf(streams: readonly Stream[]): string {
  let layout = '';
  for (const stream of streams) layout += `${layout === '' ? '' : ','}${stream.id}:${stream.series!.dims}`;
  return layout;
}

/** Which stream and dimension a position in a layout means. */
export function placeIn(
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

/** Rows by a key, in the order in which the keys first appear. */
export function groupBy<Row>(
  rows: readonly ComparedRow<Row>[],
  keyOf: (row: Row) => string,
): Map<string, ComparedRow<Row>[]> {
  const groups = new Map<string, ComparedRow<Row>[]>();
  for (const row of rows) {
    const key = keyOf(row.row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** Most episodes of a dataset have a text of their neighbours. */
let last = { text: '', digest: '' };

/** Digest of the texts of an episode, so that rows stay small. */
export function textDigest({ episode }: Subject): string {
  const text = (episode.tasks ?? []).map((task) => task.text.trim()).join('|');
  if (text !== last.text) last = { text, digest: sha256(text).slice(0, 8) };
  return last.digest;
}

/** `episode_000003, episode_000007 and 12 more`. */
export function someOf(episodes: readonly string[], most = 5): string {
  const named = episodes.slice(0, most).join(', ');
  return episodes.length > most ? `${named} and ${episodes.length - most} more` : named;
}

/** `1 episode has`, `3 episodes have`: the subject of a finding with its verb. */
export function episodesThat(count: number, one: string, several: string): string {
  return count === 1 ? `1 episode ${one}` : `${count} episodes ${several}`;
}

/** `1 of 100 episodes has`, `4 of 100 episodes have`. */
export function episodesOfThat(count: number, all: number, one: string, several: string): string {
  return `${count} of ${all} episodes ${count === 1 ? one : several}`;
}
