import type { Recording } from '../shared/messages/recording.ts';
import type { ChannelDescription, TopicRecorder } from '../shared/messages/topic-recorder.ts';
import type { ConnectionRecord } from './records.ts';

const maxDefinitionBytes = 1024 * 1024;
const maxDefinitionsBytes = 64 * 1024 * 1024;
const maxConnections = 65_536;

/** MD5 of a message type without fields, whose definition may be empty. */
const emptyDefinitionMd5 = 'd41d8cd98f00b204e9800998ecf8427e';

/** Code and message of a problem with a connection declaration. */
interface DeclarationProblem {
  readonly code: string;
  readonly message: string;
}

/** A connection of a bag: the messages of one publisher to one topic. */
export class Connection {
  readonly record: ConnectionRecord;
  readonly description: ChannelDescription;
  recorder: TopicRecorder | null = null;
  messages = 0;

  constructor(record: ConnectionRecord, description: ChannelDescription) {
    this.record = record;
    this.description = description;
  }
}

/** Connections of one bag, filled as it is read. */
export class ConnectionTable {
  readonly #connections = new Map<number, Connection>();
  readonly #descriptions = new Map<string, ChannelDescription>();
  #definitionBytes = 0;

  /**
   * Adds a connection and returns the problem with its declaration, or `null`; of several declarations of an id the
   * first one counts.
   */
  add(record: ConnectionRecord): DeclarationProblem | null {
    const { id, topic, type, md5, definition } = record;
    const known = this.#connections.get(id);
    if (known !== undefined) {
      if (known.record.topic === topic && known.record.type === type) return null;
      const message = `connection ${id} (${known.record.topic}) is redeclared as ${topic}; its messages were read with the first declaration`;
      return { code: 'connection_redefined', message };
    }
    if (this.#connections.size >= maxConnections)
      return {
        code: 'too_many_connections',
        message: `the bag declares more than ${maxConnections} connections`,
      };
    const description = this.#describe(record);
    this.#connections.set(id, new Connection(record, description));
    if (description.schema.length > 0 || md5 === emptyDefinitionMd5) return null;
    const size = definition.length === 0 ? 'missing' : `${definition.length} bytes long and was not kept`;
    const message = `${topic}: the definition of ${type} is ${size}; its messages are counted but not decoded`;
    return { code: definition.length === 0 ? 'definition_missing' : 'definition_too_large', message };
  }

  get(id: number): Connection | undefined {
    return this.#connections.get(id);
  }

  /** Returns the connections with messages. */
  used(): Connection[] {
    return [...this.#connections.values()].filter((connection) => connection.messages > 0);
  }

  /** Detaches all connections from their recorders, before messages go to another recording. */
  detach(): void {
    for (const connection of this.#connections.values()) connection.recorder = null;
  }

  /** Connects a connection to the recorder of its topic; returns null if the recording accepts no more topics. */
  attach(connection: Connection, recording: Recording): TopicRecorder | null {
    connection.recorder = recording.recorderFor(connection.description);
    return connection.recorder;
  }

  /**
   * Returns the channel of a connection. Publishers of one topic and type with the same MD5 share one channel: ROS
   * computes it without comments, so it shows whether the layouts are equal.
   */
  #describe(record: ConnectionRecord): ChannelDescription {
    const { topic, type, md5, definition } = record;
    const key = [topic, type, md5].join('\0');
    const known = this.#descriptions.get(key);
    if (known !== undefined && isMd5(md5)) return known;
    this.#definitionBytes += definition.length;
    const fits = definition.length <= maxDefinitionBytes && this.#definitionBytes <= maxDefinitionsBytes;
    const description: ChannelDescription = {
      topic,
      messageEncoding: 'ros1',
      schemaName: type,
      schemaEncoding: 'ros1msg',
      schema: fits ? definition : new Uint8Array(0),
      latched: record.latched,
    };
    this.#descriptions.set(key, description);
    return description;
  }
}

function isMd5(md5: string): boolean {
  return /^[0-9a-f]{32}$/.test(md5);
}
