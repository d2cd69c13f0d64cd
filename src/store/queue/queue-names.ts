/** How long a job may run; what ends sooner than its process is noticed by its heartbeat, not by this. */
const day_s = 86_400;

interface QueueRow {
  readonly id: string;
  /** How often a job is given out again after its process died under it. */
  readonly retries: number;
}

/** Every queue there is. */
export const queueRows = [
  /** Steps that concern a whole run: look, compare, conclude, report. */
  { id: 'run_steps', retries: 5 },
  /** Stretches of a run's units, to be measured or judged. */
  { id: 'run_units', retries: 20 },
  /** What concerns a whole annotation job: conclude, sweep. */
  { id: 'job_steps', retries: 5 },
  /** Stretches of a job's episodes, to be annotated. */
  { id: 'job_stretches', retries: 20 },
] as const satisfies readonly QueueRow[];

export type QueueName = (typeof queueRows)[number]['id'];

/** Where jobs of a queue go that could not be done. */
export const deadQueueOf = (queue: QueueName): string => `${queue}_dead`;

/** A process that says nothing for so long has died. */
const heartbeat_s = 10;

/** What every queue's jobs have in common. */
export const jobDefaults = {
  heartbeatSeconds: heartbeat_s,
  expireInSeconds: day_s,
  retentionSeconds: 90 * day_s,
  /** Done jobs say nothing that the rows they worked on do not. */
  deleteAfterSeconds: 3600,
} as const;
