import type { Episode, Stream } from '#core/episode';
import { type McapMessage, writeMcap } from '#formats/write';
import { nanoseconds } from './logged-time.ts';
import { type RosType, rosDefinitions, rosStamp } from './ros-definitions.ts';

interface RosHeader {
  readonly stamp: { readonly sec: number; readonly nanosec: number };
  readonly frame_id: string;
}

/** How a stream of an episode becomes messages of a topic. */
export interface LoggedTopic {
  readonly stream: string;
  readonly topic: string;
  readonly schema: RosType;
  /** The message for sample `index`, whose numbers are `row` (empty for pictures). */
  value(header: RosHeader, row: readonly number[], index: number, time_s: number): object;
}

/** Writes an episode as an MCAP. Its clocks are taken as header stamps first, arrivals second. */
export async function writeLogged(
  path: string,
  episode: Episode,
  topics: readonly LoggedTopic[],
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const start_ns = BigInt(episode.start_ns ?? 0);
  const channels: { topic: string; schema: RosType }[] = [];
  const messages: McapMessage[] = [];
  for (const topic of topics) {
    const stream = episode.streams.find((candidate) => candidate.id === topic.stream);
    if (stream === undefined) continue;
    channels.push(topic);
    messages.push(...messagesOf(stream, topic, channels.length - 1, start_ns));
  }
  const task = episode.tasks?.[0]?.text;
  if (task !== undefined) {
    channels.push({ topic: '/task', schema: 'std_msgs/msg/String' });
    messages.push({
      channel: channels.length - 1,
      log_ns: start_ns,
      publish_ns: start_ns,
      value: { data: task },
    });
  }
  await writeMcap(path, {
    channels: channels.map(({ topic, schema }) => ({ topic, schema, definition: rosDefinitions[schema] })),
    messages,
    metadata: { assay: metadata },
  });
}

function messagesOf(stream: Stream, topic: LoggedTopic, channel: number, start_ns: bigint): McapMessage[] {
  const [stamps, arrivals] = stream.clocks;
  const messages: McapMessage[] = [];
  for (let i = 0; i < stream.sample_count; i++) {
    const stamp_ns = nanoseconds(stamps.time_s[i], start_ns);
    const header = { stamp: rosStamp(stamp_ns), frame_id: stream.role };
    const row = stream.series === undefined ? [] : rowOf(stream.series, i);
    messages.push({
      channel,
      log_ns: nanoseconds(arrivals.time_s[i], start_ns),
      publish_ns: stamp_ns,
      value: topic.value(header, row, i, stamps.time_s[i]),
    });
  }
  return messages;
}

function rowOf({ values, dims }: NonNullable<Stream['series']>, row: number): number[] {
  return Array.from(values.subarray(row * dims, (row + 1) * dims));
}
