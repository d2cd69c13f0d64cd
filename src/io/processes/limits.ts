/** When a child ends itself. None of these makes a verdict: they protect the machine. */
export interface ChildLimits {
  /** Resident memory. */
  readonly memory_mb: number;
  /** Processor time used over one request without coming further. */
  readonly cpu_s: number;
  /** Time in which it neither computes nor comes further, counted while it is given a turn now and then. */
  readonly idle_s: number;
}

/** Environment variable by which a child learns its limits, as JSON. */
export const limitsVariable = 'ASSAY_CHILD_LIMITS';

/** Pipe on which a child's watchdog says that it lives (`.`), a line each time, and last why it ends the child. */
export const watchdogPipe = 4;

/** Why a watchdog ends its child: which limit, then in words. */
export type EndLine = `${'memory' | 'cpu' | 'idle'} ${string}`;
