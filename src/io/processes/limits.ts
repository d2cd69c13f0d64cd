/** Limits at which a child process ends itself. They protect the machine and say nothing about the input. */
export interface ChildLimits {
  /** Resident memory in MB. */
  readonly memory_mb: number;
  /** CPU seconds spent on one request without progress. */
  readonly cpu_s: number;
  /**
   * Seconds without CPU use and without progress. Counted in checks of the watchdog, so that time in which the machine
   * is suspended does not count.
   */
  readonly idle_s: number;
}

/** Environment variable that passes `ChildLimits` to a child, as JSON. */
export const limitsVariable = 'ASSAY_CHILD_LIMITS';

/**
 * File descriptor of the pipe on which the watchdog of a child reports: a line `.` as sign of life, and last an
 * `LimitLine`.
 */
export const watchdogPipe = 4;

/** Last line of a watchdog: the name of the exceeded limit, then the reason in words. */
export type LimitLine = `${'memory' | 'cpu' | 'idle'} ${string}`;
