import type { MessageDecoder, StructType, Taps } from '@assay/ros-messages';

/** Message type of a channel and its decoder. */
export interface MessageSchema {
  readonly root: StructType;
  /** Set if a definition that comes with ROS 2 is used: the recording's own is absent or does not fit. */
  readonly builtIn?: 'absent' | 'misfit';
  /** Compiles a decoder that extracts the fields in `taps`. */
  compile(taps: Taps): MessageDecoder;
}

/** Message encoding and definition of a channel, in the container's terms. */
export interface SchemaSource {
  /** `cdr`, `ros1`, `json`, `protobuf`, … */
  readonly messageEncoding: string;
  readonly schemaName: string;
  /** `ros2msg`, `ros1msg`, `jsonschema`, `protobuf`, or empty. */
  readonly schemaEncoding: string;
  readonly schema: Uint8Array;
}
