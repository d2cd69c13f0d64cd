import type { Finding } from '#core/episode';
import type { Connection } from './connections.ts';

/** Topics that many nodes are meant to write to. */
const sharedByDesign = /(^|\/)(rosout|rosout_agg|tf|tf_static|diagnostics|parameter_updates)$/;

/** Topics with several publishers, where that is not how they are meant. */
export function sharedTopics(used: readonly Connection[], path: string): Finding[] {
  const byTopic = Map.groupBy(used, ({ record }) => record.topic);
  return [...byTopic]
    .filter(([topic, connections]) => connections.length > 1 && !sharedByDesign.test(topic))
    .slice(0, 16)
    .map(([topic, connections]) => {
      const types = new Set(connections.map(({ record }) => record.type));
      const kept =
        types.size === 1 ? 'their messages were read as one stream' : 'each message type is a stream';
      return {
        code: 'topic_shared',
        severity: 'info',
        path,
        message: `${topic} was written over ${connections.length} connections (${[...types].join(', ')}); ${kept}`,
        advice: 'check that the publishers are meant to share the topic, or were started again',
      };
    });
}
