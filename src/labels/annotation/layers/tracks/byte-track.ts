import { type Box, type Detection, overlap } from '../../detection/boxes.ts';
import { assign } from './assign.ts';
import { BoxFilter } from './box-filter.ts';

/** Thresholds of confidence and of cost (1 less the overlap), as in ByteTrack but for those of confidence. */
export const byteTrackSettings = {
  /** From here on a box takes part in the first round. */
  sure: 0.3,
  /** From here on a box that no track takes begins one. */
  begins: 0.4,
  /** From here on a box takes part in the second round. */
  unsure: 0.1,
  first_cost: 0.8,
  second_cost: 0.5,
  unconfirmed_cost: 0.7,
  duplicate_cost: 0.15,
} as const;

/** Where an object was seen. */
interface Sighting extends Detection {
  /** Place among the frames that the tracker was given. */
  readonly frame: number;
}

export interface BoxTrack {
  readonly id: number;
  readonly label: string;
  readonly seen: Sighting[];
}

interface Live extends BoxTrack {
  readonly filter: BoxFilter;
  state: 'unconfirmed' | 'tracked' | 'lost';
}

/**
 * ByteTrack (Zhang et al., 2022): sure boxes are given to tracks by overlap with where a Kalman filter expects them, then
 * unsure ones to tracks that are left. A track is confirmed once it is seen again.
 */
export class ByteTrack {
  readonly #longestGap_frames: number;
  readonly #ended: BoxTrack[] = [];
  #live: readonly Live[] = [];
  #frame = -1;
  #ids = 0;

  /** A track that was not seen for more frames than that has ended. */
  constructor(longestGap_frames: number) {
    this.#longestGap_frames = longestGap_frames;
  }

  /** What is found in the next frame; nothing where it could not be seen. */
  add(found: readonly Detection[]): void {
    this.#frame++;
    const { sure, unsure, first_cost, second_cost, unconfirmed_cost } = byteTrackSettings;
    const known = this.#live.filter(({ state }) => state !== 'unconfirmed');
    for (const { filter, state } of known) filter.predict(state === 'lost');
    const high = found.filter(({ score }) => score > sure);
    const low = found.filter(({ score }) => score > unsure && score <= sure);
    const first = this.#match(known, high, first_cost, true);
    const still = first.tracks.filter(({ state }) => state === 'tracked');
    const second = this.#match(still, low, second_cost, false);
    for (const track of second.tracks) track.state = 'lost';
    const unconfirmed = this.#live.filter(({ state }) => state === 'unconfirmed');
    const third = this.#match(unconfirmed, first.found, unconfirmed_cost, true);
    const begun = third.found.flatMap((one) => this.#begin(one));
    const left = this.#live.filter((track) => !third.tracks.includes(track) && !this.#isOver(track));
    const all = [...left, ...begun];
    const doubles = duplicatesAmong(all);
    this.#ended.push(...doubles);
    this.#live = all.filter((track) => !doubles.has(track));
  }

  /** How many of some boxes are sure enough to begin a track. */
  sure(found: readonly Detection[]): number {
    return found.filter(({ score }) => score >= byteTrackSettings.begins).length;
  }

  /** All tracks that were seen more than once, in the order in which they began. */
  end(): readonly BoxTrack[] {
    const all = [...this.#ended, ...this.#live];
    return all.filter(({ seen }) => seen.length > 1).sort((a, b) => a.id - b.id);
  }

  /** Gives boxes to tracks; what is left of both. `byScore`: a sure box is nearer. */
  #match(
    tracks: readonly Live[],
    found: readonly Detection[],
    most: number,
    byScore: boolean,
  ): { readonly tracks: readonly Live[]; readonly found: readonly Detection[] } {
    const boxes = tracks.map(({ filter }) => filter.box);
    const costs = tracks.map(({ label }, at) => found.map((one) => costOf(boxes[at], label, one, byScore)));
    const pairs = assign(costs, most);
    for (const [at, own] of pairs) {
      const track = tracks[at];
      track.filter.update(found[own].box);
      track.seen.push({ ...found[own], frame: this.#frame });
      track.state = 'tracked';
    }
    const [taken, given] = [new Set(pairs.map(([at]) => at)), new Set(pairs.map(([, own]) => own))];
    return {
      tracks: tracks.filter((_, at) => !taken.has(at)),
      found: found.filter((_, at) => !given.has(at)),
    };
  }

  #begin(one: Detection): readonly Live[] {
    if (one.score < byteTrackSettings.begins) return [];
    const seen = [{ ...one, frame: this.#frame }];
    const state = this.#frame === 0 ? 'tracked' : 'unconfirmed';
    return [{ id: this.#ids++, label: one.label, seen, filter: new BoxFilter(one.box), state }];
  }

  #isOver(track: Live): boolean {
    const isOver = this.#frame - track.seen.at(-1)!.frame > this.#longestGap_frames && track.state === 'lost';
    if (isOver) this.#ended.push(track);
    return isOver;
  }
}

function costOf(box: Box, label: string, found: Detection, byScore: boolean): number {
  if (label !== found.label) return 2;
  return 1 - overlap(box, found.box) * (byScore ? found.score : 1);
}

/** Of a track that is seen and one that is lost where it is, the shorter one. */
function duplicatesAmong(tracks: readonly Live[]): ReadonlySet<Live> {
  const doubles = new Set<Live>();
  const seen = tracks.filter(({ state }) => state !== 'lost');
  for (const lost of tracks) {
    if (lost.state !== 'lost') continue;
    for (const other of seen) {
      if (other.label !== lost.label) continue;
      if (1 - overlap(other.filter.box, lost.filter.box) >= byteTrackSettings.duplicate_cost) continue;
      doubles.add(length(other) > length(lost) ? lost : other);
    }
  }
  return doubles;
}

const length = ({ seen }: Live): number => seen.at(-1)!.frame - seen[0].frame;
