/**
 * Where a clock's stamps come from, most trusted first.
 * `hardware`: stamped by the sensor or its board (ULog boot time, a device counter).
 * `header`: written by the driver into the message (ROS header.stamp, image acquisition time).
 * `publish`: stamped by the sender's middleware (MCAP publish_time, DDS source time).
 * `log`: stamped by the recorder at arrival.
 * `synthesised`: computed (frame_index / fps); proves nothing about capture.
 */
export const clockProvenances = ['hardware', 'header', 'publish', 'log', 'synthesised'] as const;
export type ClockProvenance = (typeof clockProvenances)[number];

export interface Clock {
  /** As the format names it: `header.stamp`, `log_time`, `timestamp`, `pts`. */
  readonly name: string;
  readonly provenance: ClockProvenance;
  /** Seconds since `Episode.start_ns` (or since the format's own zero), one a sample, in the order of recording. */
  readonly time_s: Float64Array;
}

/** Why one clock of a stream was chosen; carried into the receipt. */
export interface ClockChoice {
  /** Index into `Stream.clocks`. */
  readonly index: number;
  readonly reason: string;
}
