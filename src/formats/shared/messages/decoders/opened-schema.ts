import type { MessageDecoder, StructType, Taps } from '@assay/ros-messages';

/** What a channel's messages look like, and how they are decoded. */
export interface OpenedSchema {
  readonly root: StructType;
  /** One of the definitions that come with ROS 2 was taken: the recording's own is absent, or does not fit. */
  readonly builtIn?: 'absent' | 'misfit';
  compile(taps: Taps): MessageDecoder;
}
