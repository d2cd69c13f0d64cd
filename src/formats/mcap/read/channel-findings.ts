import type { Finding } from '#core/episode';
import type { Channel } from './channels.ts';

/** What the channels of a file say of losses: sequence numbers with gaps, or none at all; topics with several channels. */
export function channelFindings(channels: readonly Channel[], path: string): Finding[] {
  const used = channels.filter((channel) => channel.messages > 0);
  return [...sequenceFindings(used, path), ...sharedTopics(used, path)];
}

function sequenceFindings(used: readonly Channel[], path: string): Finding[] {
  if (used.length === 0) return [];
  if (used.every((channel) => !channel.hasSequence)) {
    return [
      {
        code: 'sequence_absent',
        severity: 'info',
        path,
        message: 'the writer numbers no messages: losses show only as gaps in time',
        advice: 'nothing to do; rosbag2 writes no sequence numbers',
      },
    ];
  }
  const gaps = used.flatMap((channel) => {
    const missing = channel.missing ?? 0;
    return missing > 0 ? [{ topic: channel.record.topic, missing, messages: channel.messages }] : [];
  });
  return gaps.slice(0, 16).map(({ topic, missing, messages }) => ({
    code: 'sequence_gap',
    severity: 'warning',
    path,
    message: `${topic}: the sequence numbers say that ${missing} messages are missing beside the ${messages} that are there`,
    advice: 'find out where messages were lost: sender, network or recorder',
    evidence: { topic, missing, messages },
  }));
}

function sharedTopics(used: readonly Channel[], path: string): Finding[] {
  const byTopic = Map.groupBy(used, ({ record }) => record.topic);
  const shared = [...byTopic].filter(([, channels]) => channels.length > 1);
  return shared.slice(0, 16).map(([topic, channels]) => {
    const schemas = new Set(channels.map((channel) => channel.description.schemaName));
    const kept =
      schemas.size === 1 ? 'their messages were read as one stream' : 'each message type is a stream';
    return {
      code: 'topic_shared',
      severity: 'info',
      path,
      message: `${topic} is written by ${channels.length} channels (${[...schemas].join(', ')}); ${kept}`,
      advice: 'check that the publishers are meant to share the topic',
    };
  });
}
