import type { BagMetadata } from '../../shared/bags/bag-metadata.ts';
import { isLatched } from '../../shared/bags/latched.ts';
import type { ChannelDescription, TopicRecorder } from '../../shared/messages/topic-recorder.ts';
import type { BagDatabase } from '../bag-database.ts';

/** A topic of one file: how its messages are to be read, and where they go. */
export interface BagTopic {
  readonly description: ChannelDescription;
  recorder: TopicRecorder | null;
  messages: number;
}

interface Definition {
  readonly encoding: string;
  readonly text: string;
}

const maxTopics = 65_536;
const maxDefinitionsCharacters = 64 * 1024 * 1024;

/** The topics of a file by their number, each with the definition that the file holds of its type, if any. */
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
        messageEncoding: agreedFormat(format, topic, bag, database),
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

/** Where metadata.yaml says otherwise than the file, nobody knows: the one that is not cdr counts, and nothing is read. */
function agreedFormat(
  stored: string,
  topic: string,
  bag: BagMetadata | null,
  { problems }: BagDatabase,
): string {
  const said = bag?.topicFormats.get(topic) || stored;
  if (said !== stored) {
    problems.report(
      'serialization_contradictory',
      'warning',
      `${topic}: metadata.yaml says its messages are serialized as ${said}, the file says ${stored}`,
      'correct the wrong one; until then its messages are not read',
    );
  }
  return stored === 'cdr' ? said : stored;
}

/** By type; empty before schema version 4. */
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
