import { count } from './words.ts';

/** One part of two sets. */
export interface Bar {
  readonly label: string;
  readonly one: number;
  readonly other: number;
}

interface PairBarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** What stands between both numbers: an arrow from before to after, or a line between two sets. */
  readonly between?: string;
}

/** Two sets part by part: the pale bar is the first, the dark one in it the second, and the numbers say both. */
export function PairBars({ title, bars, between = '→' }: PairBarsProps) {
  const most = Math.max(1, ...bars.flatMap(({ one, other }) => [one, other]));
  return (
    <figure className="plot">
      <figcaption>{title}</figcaption>
      {bars.length === 0 && <p className="faint">None</p>}
      <ul>
        {bars.map(({ label, one, other }) => (
          <li key={label}>
            <span className="plot-label" title={label}>
              {label}
            </span>
            <span
              className="plot-bar"
              aria-hidden="true"
              style={{ '--one': one / most, '--other': other / most } as object}
            />
            <span className="plot-numbers">
              {count(one)} {between} {count(other)}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
