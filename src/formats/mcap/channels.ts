import { isLatched } from '../shared/bags/bag-metadata.ts';
import type { Recording } from '../shared/messages/recording.ts';
import type { ChannelDescription, TopicRecorder } from '../shared/messages/topic-recorder.ts';
import type { Integrity } from './integrity.ts';
import type { ChannelRecord, SchemaRecord } from './records.ts';

/** Largest schema definition that is stored, in bytes. */
const maxSchemaBytes = 4 * 1024 * 1024;
/** Total size limit of the stored schema definitions of one file, in bytes. */
const maxSchemasBytes = 64 * 1024 * 1024;

/** A channel of one file: its target recorder, message count and sequence number gaps. */
export class Channel {
  readonly description: ChannelDescription;
  readonly record: ChannelRecord;
  recorder: TopicRecorder | null = null;
  messages = 0;
  #sequence = -1;
  #steps = 0;
  #missing = 0;
  #backward = 0;

  constructor(record: ChannelRecord, description: ChannelDescription) {
    this.record = record;
    this.description = description;
  }

  /** Counts a message, and a gap or step back of its sequence number against the previous one. */
  countMessage(sequence: number): void {
    const last = this.#sequence;
    this.#sequence = sequence;
    this.messages++;
    if (last < 0 || sequence === last) return;
    if (sequence === last + 1) this.#steps++;
    else if (sequence > last) this.#missing += sequence - last - 1;
    else this.#backward++;
  }

  /** Number of missing messages according to the sequence numbers; null if the numbers do not count messages. */
  get missing(): number | null {
    const counts = this.#steps > 0 && this.#steps >= (this.messages - 1) * 0.5 && this.#backward === 0;
    return counts ? this.#missing : null;
  }

  /** True if the sequence numbers change between messages. */
  get hasSequence(): boolean {
    return this.#steps > 0 || this.#missing > 0 || this.#backward > 0;
  }
}

/** Schemas and channels of one file, filled as it is read. */
export class ChannelTable {
  readonly #schemas = new Map<number, SchemaRecord>();
  readonly #channels: (Channel | undefined)[] = [];
  readonly #integrity: Integrity;
  #schemaBytes = 0;

  constructor(integrity: Integrity) {
    this.#integrity = integrity;
  }

  /** Registers a schema, with an empty definition, which is reported, if it is above the size limits. */
  addSchema(schema: SchemaRecord): void {
    this.#integrity.schemas.add(schema.id);
    this.#schemaBytes += schema.data.length;
    if (schema.data.length <= maxSchemaBytes && this.#schemaBytes <= maxSchemasBytes) {
      this.#schemas.set(schema.id, schema);
      return;
    }
    this.#schemas.set(schema.id, { ...schema, data: new Uint8Array(0) });
    this.#integrity.report(
      'schema_too_large',
      'warning',
      `the message definition of ${schema.name.slice(0, 200)} has ${schema.data.length} bytes and was not kept`,
      'record only the message definition in the schema',
    );
  }

  /**
   * Registers a channel declared at byte `offset`; a redefinition replaces the earlier one and is reported, as is a
   * missing schema.
   */
  addChannel(record: ChannelRecord, offset: number): void {
    this.#integrity.channels.add(record.id);
    const known = this.#channels[record.id];
    if (known !== undefined) {
      if (sameChannel(known.record, record)) return;
      this.#integrity.report(
        'channel_redefined',
        'warning',
        `channel ${record.id} (${known.record.topic}) is redeclared as ${record.topic} at byte ${offset}`,
        'messages after that were read with the later declaration',
      );
    }
    const schema = this.#schemas.get(record.schemaId);
    if (schema === undefined && record.schemaId !== 0) {
      this.#integrity.report(
        'schema_missing',
        'warning',
        `${record.topic} refers to schema ${record.schemaId}, which is missing in the file`,
        'record again with message definitions',
      );
    }
    this.#channels[record.id] = new Channel(record, {
      topic: record.topic,
      messageEncoding: record.messageEncoding,
      schemaName: schema?.name ?? '',
      schemaEncoding: schema?.encoding ?? '',
      schema: schema?.data ?? new Uint8Array(0),
      latched:
        record.metadata.get('latching') === '1' ||
        isLatched(record.metadata.get('offered_qos_profiles') ?? ''),
    });
  }

  /** Returns the channel with this id; `undefined` if none is declared. */
  get(id: number): Channel | undefined {
    return this.#channels[id];
  }

  all(): Channel[] {
    return this.#channels.filter((channel) => channel !== undefined);
  }

  /** Detaches all channels from their recorders, before messages go to another recording. */
  detach(): void {
    for (const channel of this.all()) channel.recorder = null;
  }

  /** Connects a channel to the recorder of its topic; returns null if the recording accepts no more topics. */
  attach(channel: Channel, recording: Recording): TopicRecorder | null {
    channel.recorder = recording.recorderFor(channel.description);
    return channel.recorder;
  }
}

function sameChannel(a: ChannelRecord, b: ChannelRecord): boolean {
  return a.topic === b.topic && a.messageEncoding === b.messageEncoding && a.schemaId === b.schemaId;
}
