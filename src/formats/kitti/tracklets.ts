import type { Event } from '#core/episode';
import type { SourceTree } from '#io/sources';

/** An object that was followed through a drive. */
interface Tracklet {
  readonly category: string;
  /** Frame number of the first of its poses. */
  readonly first_frame: number;
}

const mostBytes = 64 * 1024 * 1024;
/** Boost writes objectType, sizes and first_frame of a tracklet in this order, each in a tag of its own. */
const tag = /<(objectType|first_frame)>([^<]{0,64})</g;

async function readTracklets(tree: SourceTree, path: string): Promise<Tracklet[]> {
  const tracklets: Tracklet[] = [];
  let category: string | null = null;
  for (const [, name, text] of (await tree.text(path, mostBytes)).matchAll(tag)) {
    if (name === 'objectType') category = text.trim();
    else if (category !== null && Number.isSafeInteger(Number(text))) {
      tracklets.push({ category, first_frame: Number(text) });
      category = null;
    }
  }
  return tracklets;
}

/** When each labelled object is first seen. `timeOf`: seconds of a frame number; null where it has no time. */
export async function trackletEvents(
  tree: SourceTree,
  path: string,
  timeOf: (frame: number) => number | null,
): Promise<Event[]> {
  const events: Event[] = [];
  for (const { category, first_frame } of await readTracklets(tree, path)) {
    const time_s = timeOf(first_frame);
    if (time_s !== null) events.push({ time_s, label: category, source: path });
  }
  return events.sort((a, b) => a.time_s - b.time_s);
}
