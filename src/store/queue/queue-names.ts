import { limits } from '#core';
import { type JobLayerId, jobLayerIds } from '#core/api';

/** How long a job may run; what ends sooner than its process is noticed by its heartbeat, not by this. */
const day_s = 86_400;

interface QueueRow {
  readonly id: QueueName;
  /** How often a job is given out again after its process died under it. */
  readonly retries: number;
}

/** What is queued for an annotation layer by itself. */
export const laneQueue = (layer: JobLayerId): LaneQueue => `lane_${layer}`;

type LaneQueue = `lane_${JobLayerId}`;
export type QueueName =
  | 'run_steps'
  | 'run_units'
  | 'job_steps'
  | 'job_stretches'
  | 'lanes_shared'
  | 'export_steps'
  | LaneQueue;

/** Every queue there is. */
export const queueRows: readonly QueueRow[] = [
  /** Steps that concern a whole run: look, compare, conclude, report. */
  { id: 'run_steps', retries: 5 },
  /** Ranges of a run's units, to be measured or judged. */
  { id: 'run_units', retries: 20 },
  /** What concerns a whole annotation job: conclude, sweep. */
  { id: 'job_steps', retries: 5 },
  /** What versions before this one queued to be annotated; nothing is added. */
  { id: 'job_stretches', retries: 20 },
  /** Ranges of episodes to be annotated in several layers, which share their reading and decoding. */
  { id: 'lanes_shared', retries: 20 },
  /** What concerns an export: write it, sweep. */
  { id: 'export_steps', retries: 20 },
  /** Ranges of episodes to be annotated in one layer. */
  ...jobLayerIds.map((layer) => ({ id: laneQueue(layer), retries: 20 })),
];

/** Where jobs of a queue go that could not be done. */
export const deadQueueOf = (queue: QueueName): string =>
  queue.startsWith('lane') ? 'lanes_dead' : `${queue}_dead`;

/** A process that says nothing for so long has died. */
const heartbeat_s = limits.workers.process_silent_s.value;

/** What every queue's jobs have in common. */
export const jobDefaults = {
  heartbeatSeconds: heartbeat_s,
  expireInSeconds: day_s,
  retentionSeconds: 90 * day_s,
  /** Done jobs say nothing that the rows they worked on do not. */
  deleteAfterSeconds: 3600,
} as const;
