import { type BagMetadata, isLatched } from '../shared/bags/bag-metadata.ts';
import type { ChannelDescription, TopicRecorder } from '../shared/messages/topic-recorder.ts';
import type { BagDatabase } from './bag-database.ts';

/** A topic of one file: its channel, target recorder and message count. */
export interface BagTopic {
  readonly description: ChannelDescription;
  recorder: TopicRecorder | null;
  messages: number;
}

/** Message definition of a type. */
interface Definition {
  readonly encoding: string;
  readonly text: string;
}

/** Maximum number of topics read from one file. */
const maxTopics = 65_536;
/** Total size limit of the message definitions of one file, in characters. */
const maxDefinitionsCharacters = 64 * 1024 * 1024;

/** Returns the topics of a file by id, each with the message definition stored in the file, if any. */
export async function readTopics(
  database: BagDatabase,
  bag: BagMetadata | null,
): Promise<Map<number, BagTopic>> {
  const definitions = await readDefinitions(database);
  const columns = ['id', 'name', 'type', 'serialization_format', 'offered_qos_profiles'];
  const scan = database.scan('topics', columns);
  const topics = new Map<number, BagTopic>();
  while (await scan.more()) {
    while (scan.next() && topics.size < maxTopics) {
      const [topic, type, format, profiles] = [1, 2, 3, 4].map((slot) => database.text(scan, slot) ?? '');
      const id = scan.row.isNull(0) ? scan.rowid : scan.row.number(0);
      const definition = definitions.get(type);
      const description = {
        topic,
        messageEncoding: resolveSerialization(format, topic, bag, database),
        schemaName: type,
        schemaEncoding: definition === undefined || definition.text === '' ? 'ros2msg' : definition.encoding,
        schema: new TextEncoder().encode(definition?.text ?? ''),
        latched: isLatched(profiles),
      };
      topics.set(id, { description, recorder: null, messages: 0 });
    }
    if (topics.size >= maxTopics) break;
  }
  return topics;
}

/**
 * Returns the serialization format of a topic. If metadata.yaml and the file differ, the difference is reported and
 * the format other than cdr is used, so that its messages are not decoded.
 */
function resolveSerialization(
  stored: string,
  topic: string,
  bag: BagMetadata | null,
  { problems }: BagDatabase,
): string {
  const declared = bag?.topicFormats.get(topic) || stored;
  if (declared !== stored) {
    problems.report(
      'serialization_contradictory',
      'warning',
      `${topic}: metadata.yaml declares the serialization ${declared}, but the database says ${stored}`,
      'correct metadata.yaml, or the database if it is wrong; until then, messages of the topic are not decoded',
    );
  }
  return stored === 'cdr' ? declared : stored;
}

/** Reads the message definitions by type; empty before schema version 4. */
async function readDefinitions(database: BagDatabase): Promise<Map<string, Definition>> {
  const definitions = new Map<string, Definition>();
  if (database.typeOf('message_definitions') !== 'table') return definitions;
  const scan = database.scan('message_definitions', ['topic_type', 'encoding', 'encoded_message_definition']);
  let characters = 0;
  while (await scan.more()) {
    while (scan.next()) {
      const [type, encoding, text] = [0, 1, 2].map((slot) => database.text(scan, slot) ?? '');
      characters += text.length;
      if (characters > maxDefinitionsCharacters) return definitions;
      if (!definitions.has(type) || text !== '') definitions.set(type, { encoding, text });
    }
  }
  return definitions;
}
