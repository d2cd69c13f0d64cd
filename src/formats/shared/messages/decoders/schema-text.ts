/** How messages of a channel are encoded and what defines them; the container's words. */
export interface SchemaText {
  /** `cdr`, `ros1`, `json`, `protobuf`, … */
  readonly messageEncoding: string;
  readonly schemaName: string;
  /** `ros2msg`, `ros1msg`, `jsonschema`, `protobuf`, or empty. */
  readonly schemaEncoding: string;
  readonly schema: Uint8Array;
}
