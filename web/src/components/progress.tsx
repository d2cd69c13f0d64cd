import { count, duration } from './words.ts';

interface ProgressProps {
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly eta_s?: number | null;
}

/** Progress bar with the estimated remaining time. */
export function Progress({ label, done, total, eta_s = null }: ProgressProps) {
  return (
    <span className="progress">
      <progress max={Math.max(1, total)} value={done} aria-label={label} />
      <span>
        {label}: {count(done)} of {count(total)}
        {eta_s === null ? '' : `, about ${duration(eta_s)} left`}
      </span>
    </span>
  );
}
