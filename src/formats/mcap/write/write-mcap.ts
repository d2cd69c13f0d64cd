import { open } from 'node:fs/promises';

/** A topic and its ROS 2 message definition. */
export interface McapChannel {
  readonly topic: string;
  /** Type name, e.g. `sensor_msgs/msg/JointState`. */
  readonly schema: string;
  /** Definition in ROS 2's concatenated form: the message, then each type it uses after a line of `=`. */
  readonly definition: string;
}

/** A message to write. */
export interface McapMessage {
  /** Index into the channels. */
  readonly channel: number;
  readonly log_ns: bigint;
  readonly publish_ns: bigint;
  /** Message as a plain object; encoded as CDR by its channel's definition. */
  readonly value: unknown;
}

/** Content of an MCAP file. */
export interface McapFile {
  readonly channels: readonly McapChannel[];
  /** Messages in any order; written sorted by log time. */
  readonly messages: readonly McapMessage[];
  readonly metadata: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Writes or replaces an MCAP file with ROS 2 profile: CDR messages sorted by log time, uncompressed chunks, summary and
 * statistics.
 */
export async function writeMcap(path: string, file: McapFile): Promise<void> {
  const [{ McapWriter }, { parse }, { MessageWriter }] = await Promise.all([
    import('@mcap/core'),
    import('@foxglove/rosmsg'),
    import('@foxglove/rosmsg2-serialization'),
  ]);
  await using handle = await open(path, 'w');
  const parts: Uint8Array[] = [];
  let position = 0n;
  const writable = {
    write: async (buffer: Uint8Array) => {
      parts.push(buffer.slice());
      position += BigInt(buffer.byteLength);
    },
    position: () => position,
  };
  const writer = new McapWriter({ writable, chunkSize: 256 * 1024 });
  await writer.start({ profile: 'ros2', library: 'assay samples' });
  const encoders: ((value: unknown) => Uint8Array)[] = [];
  const ids: number[] = [];
  const schemas = new Map<string, number>();
  for (const { topic, schema, definition } of file.channels) {
    const data = new TextEncoder().encode(definition);
    const schemaId =
      schemas.get(schema) ?? (await writer.registerSchema({ name: schema, encoding: 'ros2msg', data }));
    schemas.set(schema, schemaId);
    ids.push(await writer.registerChannel({ schemaId, topic, messageEncoding: 'cdr', metadata: new Map() }));
    const encoder = new MessageWriter(parse(definition, { ros2: true }));
    encoders.push((value) => encoder.writeMessage(value));
  }
  const sequences = new Uint32Array(ids.length);
  const ordered = [...file.messages].sort((a, b) =>
    a.log_ns < b.log_ns ? -1 : a.log_ns > b.log_ns ? 1 : a.channel - b.channel,
  );
  for (const { channel, log_ns, publish_ns, value } of ordered) {
    await writer.addMessage({
      channelId: ids[channel],
      sequence: sequences[channel]++,
      logTime: log_ns,
      publishTime: publish_ns,
      data: encoders[channel](value),
    });
  }
  for (const [name, record] of Object.entries(file.metadata)) {
    await writer.addMetadata({ name, metadata: new Map(Object.entries(record)) });
  }
  await writer.end();
  await handle.writev(parts);
}
