import { type Box, boxIou, type Detection } from '../../vision/detection.ts';

/** Id of ByteTrack in the model registry. */
export const byteTrackId = 'ifzhang/bytetrack';

/**
 * ByteTrack thresholds for scores and matching costs (1 − IoU). The score thresholds differ from the original's
 * defaults.
 */
export const byteTrackSettings = {
  /** Minimum score for the first matching round. */
  sure: 0.3,
  /** Minimum score at which an unmatched box starts a track. */
  begins: 0.4,
  /** Minimum score for the second matching round. */
  unsure: 0.1,
  first_cost: 0.8,
  second_cost: 0.5,
  unconfirmed_cost: 0.7,
  duplicate_cost: 0.15,
} as const;

/** A detection assigned to a track. */
interface TrackedDetection extends Detection {
  /** Index of the frame among those added. */
  readonly frame: number;
}

/** Track of an object. */
export interface BoxTrack {
  readonly id: number;
  readonly label: string;
  readonly detections: TrackedDetection[];
}

interface ActiveTrack extends BoxTrack {
  readonly filter: BoxFilter;
  state: 'unconfirmed' | 'tracked' | 'lost';
}

/**
 * Tracks detected boxes over frames with ByteTrack (Zhang et al., 2022). High-score boxes are matched to tracks by
 * overlap with the Kalman prediction, then low-score boxes to the remaining tracks. A track is confirmed when it is
 * detected a second time.
 */
export class ByteTrack {
  readonly #maxGap_frames: number;
  readonly #ended: BoxTrack[] = [];
  #live: readonly ActiveTrack[] = [];
  #frame = -1;
  #ids = 0;

  /** Ends a track that has been lost for more than `maxGap_frames` frames. */
  constructor(longestGap_frames: number) {
    this.#maxGap_frames = longestGap_frames;
  }

  /** Adds the detections of the next frame; an empty list if the frame is missing. */
  add(found: readonly Detection[]): void {
    this.#frame++;
    const { sure, unsure, first_cost, second_cost, unconfirmed_cost } = byteTrackSettings;
    const confirmed = this.#live.filter(({ state }) => state !== 'unconfirmed');
    for (const { filter, state } of confirmed) filter.predict(state === 'lost');
    const high = found.filter(({ score }) => score > sure);
    const low = found.filter(({ score }) => score > unsure && score <= sure);
    const first = this.#match(confirmed, high, first_cost, true);
    const still = first.tracks.filter(({ state }) => state === 'tracked');
    const second = this.#match(still, low, second_cost, false);
    for (const track of second.tracks) track.state = 'lost';
    const unconfirmed = this.#live.filter(({ state }) => state === 'unconfirmed');
    const third = this.#match(unconfirmed, first.found, unconfirmed_cost, true);
    const begun = third.found.flatMap((one) => this.#begin(one));
    const remaining = this.#live.filter((track) => !third.tracks.includes(track) && !this.#endIfLost(track));
    const all = [...remaining, ...begun];
    const doubles = findDuplicates(all);
    this.#ended.push(...doubles);
    this.#live = all.filter((track) => !doubles.has(track));
  }

  /** Returns how many boxes score high enough to start a track. */
  countConfident(found: readonly Detection[]): number {
    return found.filter(({ score }) => score >= byteTrackSettings.begins).length;
  }

  /** Returns all tracks with at least two detections, in order of creation. */
  finish(): readonly BoxTrack[] {
    const all = [...this.#ended, ...this.#live];
    return all.filter(({ detections }) => detections.length > 1).sort((a, b) => a.id - b.id);
  }

  /** Matches boxes to tracks and returns the unmatched of both. `weightByScore`: scale overlap by the box score. */
  #match(
    tracks: readonly ActiveTrack[],
    found: readonly Detection[],
    maxCost: number,
    weightByScore: boolean,
  ): { readonly tracks: readonly ActiveTrack[]; readonly found: readonly Detection[] } {
    const boxes = tracks.map(({ filter }) => filter.box);
    const costs = tracks.map(({ label }, at) =>
      found.map((one) => matchCost(boxes[at], label, one, weightByScore)),
    );
    const pairs = assignPairs(costs, maxCost);
    for (const [at, own] of pairs) {
      const track = tracks[at];
      track.filter.update(found[own].box);
      track.detections.push({ ...found[own], frame: this.#frame });
      track.state = 'tracked';
    }
    const [matchedTracks, matchedDetections] = [
      new Set(pairs.map(([at]) => at)),
      new Set(pairs.map(([, own]) => own)),
    ];
    return {
      tracks: tracks.filter((_, at) => !matchedTracks.has(at)),
      found: found.filter((_, at) => !matchedDetections.has(at)),
    };
  }

  #begin(one: Detection): readonly ActiveTrack[] {
    if (one.score < byteTrackSettings.begins) return [];
    const detections = [{ ...one, frame: this.#frame }];
    const state = this.#frame === 0 ? 'tracked' : 'unconfirmed';
    return [{ id: this.#ids++, label: one.label, detections, filter: new BoxFilter(one.box), state }];
  }

  #endIfLost(track: ActiveTrack): boolean {
    const isOver =
      this.#frame - track.detections.at(-1)!.frame > this.#maxGap_frames && track.state === 'lost';
    if (isOver) this.#ended.push(track);
    return isOver;
  }
}

function matchCost(box: Box, label: string, found: Detection, weightByScore: boolean): number {
  if (label !== found.label) return 2;
  return 1 - boxIou(box, found.box) * (weightByScore ? found.score : 1);
}

/** Returns duplicates: for an active and a lost track at the same place, the shorter one. */
function findDuplicates(tracks: readonly ActiveTrack[]): ReadonlySet<ActiveTrack> {
  const doubles = new Set<ActiveTrack>();
  const detections = tracks.filter(({ state }) => state !== 'lost');
  for (const lost of tracks) {
    if (lost.state !== 'lost') continue;
    for (const other of detections) {
      if (other.label !== lost.label) continue;
      if (1 - boxIou(other.filter.box, lost.filter.box) >= byteTrackSettings.duplicate_cost) continue;
      doubles.add(trackLength(other) > trackLength(lost) ? lost : other);
    }
  }
  return doubles;
}

const trackLength = ({ detections }: ActiveTrack): number => detections.at(-1)!.frame - detections[0].frame;

/**
 * Returns pairs of row and column at minimum total cost, without pairs that cost more than `maxCost`. Uses the
 * Hungarian algorithm by shortest augmenting paths.
 */
export function assignPairs(
  costs: readonly (readonly number[])[],
  maxCost: number,
): readonly (readonly [number, number])[] {
  const rows = costs.length;
  const columns = costs[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return [];
  if (rows > columns) {
    const turned = Array.from({ length: columns }, (_, column) => costs.map((row) => row[column]));
    return assignPairs(turned, maxCost).map(([column, row]) => [row, column] as const);
  }
  // Pairs above the limit all cost the same, so that they do not influence the others.
  const capped = costs.map((row) => row.map((cost) => (cost > maxCost ? maxCost + 1e-4 : cost)));
  const owners = shortestPaths(capped, columns);
  return [...owners].flatMap((row, column) =>
    row >= 0 && costs[row][column] <= maxCost ? [[row, column] as const] : [],
  );
}

/** Returns the row assigned to each column, −1 for none; needs at least as many columns as rows. */
function shortestPaths(costs: readonly (readonly number[])[], columns: number): Int32Array {
  const rowPotential = new Float64Array(costs.length);
  const potential = new Float64Array(columns + 1);
  /** One virtual column more, at which each path starts. */
  const owner = new Int32Array(columns + 1).fill(-1);
  for (const row of costs.keys()) {
    owner[columns] = row;
    const before = new Int32Array(columns).fill(columns);
    const minCosts = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    const done = new Uint8Array(columns + 1);
    let at = columns;
    while (owner[at] >= 0) {
      done[at] = 1;
      const from = owner[at];
      let next = -1;
      for (let column = 0; column < columns; column++) {
        if (done[column] === 1) continue;
        const cost = costs[from][column] - rowPotential[from] - potential[column];
        if (cost < minCosts[column]) {
          minCosts[column] = cost;
          before[column] = at;
        }
        if (next < 0 || minCosts[column] < minCosts[next]) next = column;
      }
      const step = minCosts[next];
      for (let column = 0; column <= columns; column++)
        if (done[column] === 1) {
          rowPotential[owner[column]] += step;
          potential[column] -= step;
        } else if (column < columns) minCosts[column] -= step;
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

/** Standard deviation of position and speed as fractions of the box height, as in ByteTrack and DeepSORT. */
const positionNoise = 1 / 20;
const speedNoise = 1 / 160;

/** Value and change per frame, with their covariance. */
interface Coordinate {
  value: number;
  speed: number;
  variance: number;
  covariance: number;
  speed_variance: number;
}

interface ProcessNoise {
  readonly position: number;
  readonly speed: number;
}

/**
 * Constant-velocity Kalman filter of a box (centre, aspect ratio, height). The four values are independent, so each
 * has its own filter.
 */
class BoxFilter {
  readonly #coordinates: readonly [Coordinate, Coordinate, Coordinate, Coordinate];

  constructor(box: Box) {
    const noise = processNoise(box[3]);
    const [x, y, ratio, height] = toMeasurement(box).map((value, at): Coordinate => {
      const { position, speed } = noise[at];
      const isRatio = at === 2;
      return {
        ...{ value, speed: 0, covariance: 0 },
        variance: (isRatio ? position : 2 * position) ** 2,
        speed_variance: (isRatio ? speed : 10 * speed) ** 2,
      };
    });
    this.#coordinates = [x, y, ratio, height];
  }

  /** Advances by one frame. `isLost`: assume a constant height. */
  predict(isLost: boolean): void {
    const noise = processNoise(this.#coordinates[3].value);
    if (isLost) this.#coordinates[3].speed = 0;
    for (const [at, own] of this.#coordinates.entries()) {
      own.value += own.speed;
      own.variance += 2 * own.covariance + own.speed_variance + noise[at].position ** 2;
      own.covariance += own.speed_variance;
      own.speed_variance += noise[at].speed ** 2;
    }
  }

  update(box: Box): void {
    const { value: height } = this.#coordinates[3];
    for (const [at, detections] of toMeasurement(box).entries()) {
      const own = this.#coordinates[at];
      const uncertain = at === 2 ? ratioNoise : positionNoise * height;
      const total = own.variance + uncertain ** 2;
      const [gain, speedGain] = [own.variance / total, own.covariance / total];
      const surprise = detections - own.value;
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

/** Standard deviation of a measured aspect ratio. */
const ratioNoise = 0.1;

const toMeasurement = ([remaining, top, width, height]: Box) =>
  [remaining + width / 2, top + height / 2, width / height, height] as const;

function processNoise(height: number): readonly [ProcessNoise, ProcessNoise, ProcessNoise, ProcessNoise] {
  const own = { position: positionNoise * height, speed: speedNoise * height };
  return [own, own, { position: 1e-2, speed: 1e-5 }, own];
}
