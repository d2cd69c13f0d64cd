import type { Detection } from '../../detection/boxes.ts';
import { overlap } from '../../detection/boxes.ts';

/** From where a box of the next sampled frame confirms one of the same class. */
const confirms = 0.3;

/** How far a camera's boxes confirm one another: mean confidence of those that are, times their share. */
export class Steadiness {
  #before: readonly Detection[] = [];
  #asked = 0;
  #confidence = 0;

  /** The frames that come next are of another camera, or frames lie between that nobody saw. */
  forget(): void {
    this.#before = [];
  }

  add(found: readonly Detection[]): void {
    for (const { label, box, score } of this.#before) {
      this.#asked++;
      if (!found.some((next) => next.label === label && overlap(next.box, box) >= confirms)) continue;
      this.#confidence += score;
    }
    this.#before = found;
  }

  /** Null: no box has a frame after it. Sum of confidences of confirmed boxes over all that could have been. */
  get value(): number | null {
    return this.#asked === 0 ? null : this.#confidence / this.#asked;
  }
}
