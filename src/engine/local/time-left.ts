/** Of the time spent, or these seconds where that is more: what it took lately says more than how it began. */
const recent = { share: 0.3, least_s: 6 };
/** Before so much is done nothing is said: a part after so long, and a lesser one of work that takes long. */
const meaningful = [
  { after_s: 2, share: 0.05 },
  { after_s: 60, share: 0.005 },
] as const;
/** Between two points that are kept. */
const apart_s = 0.5;
/** Of the usual time from one step to the next; what is silent for longer has become slower. */
const patience = 2;

interface Point {
  readonly at_s: number;
  readonly share: number;
}

/** How long a stage still takes, by its pace of late. */
export class TimeLeft {
  /** When it had come further; the first is where the window begins. */
  readonly #points: Point[] = [{ at_s: 0, share: 0 }];

  /** Seconds left after `spent_s` with `share` done; null while it cannot be told. */
  of(spent_s: number, share: number): number | null {
    const points = this.#points;
    const last = points[points.length - 1];
    if (share > last.share && (points.length === 1 || spent_s - last.at_s >= apart_s))
      points.push({ at_s: spent_s, share });
    const from_s = spent_s - Math.max(recent.least_s, recent.share * spent_s);
    while (points.length > 2 && points[1].at_s <= from_s) points.shift();
    const isMeaningful = meaningful.some((row) => spent_s >= row.after_s && share >= row.share);
    return isMeaningful ? this.#byPace(spent_s, share) : null;
  }

  #byPace(spent_s: number, share: number): number | null {
    const first = this.#points[0];
    const last = this.#points[this.#points.length - 1];
    const done = last.share - first.share;
    if (!(done > 0)) return null;
    const step_s = (last.at_s - first.at_s) / (this.#points.length - 1);
    const until_s = spent_s - last.at_s > patience * step_s ? spent_s : last.at_s;
    return ((until_s - first.at_s) * (1 - share)) / done;
  }
}
