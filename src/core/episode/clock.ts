/**
 * Origins of a clock's stamps, most trusted first.
 * `hardware`: stamped by the sensor or its board (ULog boot time, a device counter).
 * `header`: written by the driver into the message (ROS header.stamp, image acquisition time).
 * `publish`: stamped by the sender's middleware (MCAP publish_time, DDS source time).
 * `log`: stamped by the recorder at arrival.
 * `synthesised`: computed (frame_index / fps); proves nothing about capture.
 */
export const clockProvenances = ['hardware', 'header', 'publish', 'log', 'synthesised'] as const;
export type ClockProvenance = (typeof clockProvenances)[number];

/** One clock of a stream: a time for each of its samples. */
export interface Clock {
  /** Name used by the format: `header.stamp`, `log_time`, `timestamp`, `pts`. */
  readonly name: string;
  readonly provenance: ClockProvenance;
  /** Seconds since `Episode.start_ns` (or since the format's own zero), one per sample, in recording order. */
  readonly time_s: Float64Array;
}

/** The clock that was chosen for a stream and why; copied into the receipt. */
export interface ClockChoice {
  /** Index into `Stream.clocks`. */
  readonly index: number;
  readonly reason: string;
}
