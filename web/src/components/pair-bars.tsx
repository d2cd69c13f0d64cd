import { count } from './words.ts';

/** Counts of one category in two sets. */
export interface Bar {
  readonly label: string;
  readonly one: number;
  readonly other: number;
}

interface PairBarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Text between the two numbers: an arrow for before and after, or a bar for two sets. */
  readonly between?: string;
}

/**
 * Bar chart of two sets by category: the light bar is the first set, the dark bar the second, each with its number.
 */
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
