import type { Box } from '../../detection/boxes.ts';

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
export class BoxFilter {
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
