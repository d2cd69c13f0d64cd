import { type Random, seededRandom } from '#core';
import { Studio } from './film.ts';
import { layOut } from './lay-out.ts';
import type { CleanVariant, Mode, Place, Severity, Site } from './mode.ts';
import { type Recording, recordSet } from './recording.ts';
import type { Version, WrittenSet } from './written-set.ts';

/** Report that is required for a planted mode. */
export interface Expected {
  readonly mode: string;
  readonly row: number;
  /** Episodes to be named; none where it is the set. */
  readonly episodes: readonly number[];
  /** A finding of the set names it (as well). */
  readonly set: boolean;
  readonly codes: readonly string[];
  readonly least: Severity;
}

/** A set with what is planted in it, before it is written. */
export interface PlannedSet {
  /** Also the name of its folder. */
  readonly id: string;
  readonly set: WrittenSet;
  readonly expected: readonly Expected[];
}

/** Studios by seed, so that pictures are drawn and films encoded once however many sets show them. */
export class Studios {
  readonly #all = new Map<string, Studio>();
  of(recording: Recording): Studio {
    const key = `${recording.seed}@${recording.fps}`;
    const studio = this.#all.get(key) ?? new Studio(recording);
    this.#all.set(key, studio);
    return studio;
  }
}

/** The modes planted together in one sound set; each has episodes of its own. Null where there is no room for all. */
export function planModes(
  id: string,
  modes: readonly Mode[],
  version: Version,
  seed: number,
  studios: Studios,
): PlannedSet | null {
  const recording = recordSet(seed);
  const random = seededRandom(seed * 6151 + hashOf(id));
  const free = placesOf(recording);
  const sited: { mode: Mode; site: Site }[] = [];
  for (const mode of modes) {
    const site = siteFor(mode, free, version, random);
    if (site === null) return null;
    sited.push({ mode, site });
  }
  for (const { mode, site } of sited) mode.record?.(recording, site);
  const set = layOut(recording, version, studios.of(recording));
  // Expectations are computed before any mode changes the dataset.
  const expected = sited.map(({ mode, site }) => expectedOf(mode, site, set));
  for (const { mode, site } of sited) mode.plant?.(set, site);
  return { id, set, expected };
}

export function planClean(
  variant: CleanVariant,
  version: Version,
  seed: number,
  studios: Studios,
): PlannedSet {
  const recording = recordSet(seed, variant.fps);
  variant.record?.(recording);
  const set = layOut(recording, version, studios.of(recording));
  variant.lay?.(set);
  return { id: `clean-${variant.id}`, set, expected: [] };
}

function expectedOf(mode: Mode, site: Site, set: WrittenSet): Expected {
  const { id, row, codes, least } = mode;
  const episodes = mode.concerns?.(site, set) ?? (mode.at === 'set' ? [] : [site.episode]);
  return {
    mode: id,
    row,
    episodes,
    set: mode.at === 'set' || mode.concerns !== undefined,
    codes,
    least: typeof least === 'string' ? least : least[site.version],
  };
}

function placesOf({ episodes, files }: Recording): Place[] {
  return episodes.map((_, episode) => ({
    episode,
    first: episode === 0,
    last: episode === episodes.length - 1,
    firstInFile: files.includes(episode),
    lastInFile: files.includes(episode + 1) || episode === episodes.length - 1,
  }));
}

function siteFor(mode: Mode, free: Place[], version: Version, random: Random): Site | null {
  const take = (fits: (place: Place) => boolean): number | null => {
    const fitting = free.filter(fits);
    if (fitting.length === 0) return null;
    const chosen = random.pick(fitting);
    free.splice(free.indexOf(chosen), 1);
    return chosen.episode;
  };
  const episode = mode.at === 'set' ? -1 : take(mode.at);
  if (episode === null) return null;
  const other = mode.pair ? take(() => true) : episode;
  if (other === null) return null;
  return { random, version, episode, other, camera: random.integer(0, 1) };
}

function hashOf(text: string): number {
  let hash = 7;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return hash % 100_003;
}
