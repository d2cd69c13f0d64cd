import { type Box, type Detection, overlap } from '../../detection/boxes.ts';

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

/**
 * Pairs rows with columns at the least sum of costs, leaving out pairs that cost more than `most` (Kuhn, Munkres; shortest
 * augmenting paths).
 */
export function assign(
  costs: readonly (readonly number[])[],
  most: number,
): readonly (readonly [number, number])[] {
  const rows = costs.length;
  const columns = costs[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return [];
  if (rows > columns) {
    const turned = Array.from({ length: columns }, (_, column) => costs.map((row) => row[column]));
    return assign(turned, most).map(([column, row]) => [row, column] as const);
  }
  // What costs too much costs all alike: it must not weigh in the choice among the others.
  const capped = costs.map((row) => row.map((cost) => (cost > most ? most + 1e-4 : cost)));
  const owners = shortestPaths(capped, columns);
  return [...owners].flatMap((row, column) =>
    row >= 0 && costs[row][column] <= most ? [[row, column] as const] : [],
  );
}

/** The row of each column, -1 for none; there are as many columns as rows, or more. */
function shortestPaths(costs: readonly (readonly number[])[], columns: number): Int32Array {
  const rowPotential = new Float64Array(costs.length);
  const potential = new Float64Array(columns + 1);
  /** One column more than there are: where each path starts. */
  const owner = new Int32Array(columns + 1).fill(-1);
  for (const row of costs.keys()) {
    owner[columns] = row;
    const before = new Int32Array(columns).fill(columns);
    const least = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    const done = new Uint8Array(columns + 1);
    let at = columns;
    while (owner[at] >= 0) {
      done[at] = 1;
      const from = owner[at];
      let next = -1;
      for (let column = 0; column < columns; column++) {
        if (done[column] === 1) continue;
        const cost = costs[from][column] - rowPotential[from] - potential[column];
        if (cost < least[column]) {
          least[column] = cost;
          before[column] = at;
        }
        if (next < 0 || least[column] < least[next]) next = column;
      }
      const step = least[next];
      for (let column = 0; column <= columns; column++)
        if (done[column] === 1) {
          rowPotential[owner[column]] += step;
          potential[column] -= step;
        } else if (column < columns) least[column] -= step;
      at = next;
    }
    while (at !== columns) {
      const from = before[at];
      owner[at] = owner[from];
      at = from;
    }
  }
  return owner.subarray(0, columns);
}

/** Shares of a box's height that places and speeds are uncertain by, as ByteTrack and DeepSORT have them. */
const place_share = 1 / 20;
const speed_share = 1 / 160;

/** A number and its change a frame, with how uncertain both are. */
interface Coordinate {
  value: number;
  speed: number;
  variance: number;
  covariance: number;
  speed_variance: number;
}

interface Noise {
  readonly place: number;
  readonly speed: number;
}

/**
 * Kalman filter of a box at constant speed: middle, width over height, height. Nothing couples the four, so each has a
 * filter of its own.
 */
class BoxFilter {
  readonly #coordinates: readonly [Coordinate, Coordinate, Coordinate, Coordinate];

  constructor(box: Box) {
    const noise = noisesOf(box[3]);
    const [x, y, ratio, height] = measured(box).map((value, at): Coordinate => {
      const { place, speed } = noise[at];
      const isRatio = at === 2;
      return {
        ...{ value, speed: 0, covariance: 0 },
        variance: (isRatio ? place : 2 * place) ** 2,
        speed_variance: (isRatio ? speed : 10 * speed) ** 2,
      };
    });
    this.#coordinates = [x, y, ratio, height];
  }

  /** One frame on. `isLost`: its height is not expected to change. */
  predict(isLost: boolean): void {
    const noise = noisesOf(this.#coordinates[3].value);
    if (isLost) this.#coordinates[3].speed = 0;
    for (const [at, own] of this.#coordinates.entries()) {
      own.value += own.speed;
      own.variance += 2 * own.covariance + own.speed_variance + noise[at].place ** 2;
      own.covariance += own.speed_variance;
      own.speed_variance += noise[at].speed ** 2;
    }
  }

  update(box: Box): void {
    const { value: height } = this.#coordinates[3];
    for (const [at, seen] of measured(box).entries()) {
      const own = this.#coordinates[at];
      const uncertain = at === 2 ? ratioSeen : place_share * height;
      const total = own.variance + uncertain ** 2;
      const [gain, speedGain] = [own.variance / total, own.covariance / total];
      const surprise = seen - own.value;
      own.value += gain * surprise;
      own.speed += speedGain * surprise;
      own.speed_variance -= speedGain * own.covariance;
      own.covariance -= speedGain * own.variance;
      own.variance -= gain * own.variance;
    }
  }

  get box(): Box {
    const [x, y, ratio, height] = this.#coordinates.map(({ value }) => value);
    const width = ratio * height;
    return [x - width / 2, y - height / 2, width, height];
  }
}

/** How uncertain a ratio is that was seen. */
const ratioSeen = 0.1;

const measured = ([left, top, width, height]: Box) =>
  [left + width / 2, top + height / 2, width / height, height] as const;

function noisesOf(height: number): readonly [Noise, Noise, Noise, Noise] {
  const own = { place: place_share * height, speed: speed_share * height };
  return [own, own, { place: 1e-2, speed: 1e-5 }, own];
}
