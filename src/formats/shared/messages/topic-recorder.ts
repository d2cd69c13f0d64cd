import { type Extraction, type MessageDecoder, type StructType, typeAt } from '@assay/ros-messages';
import { AssayError, countPhrase, messageOf } from '#core';
import { type Finding, recordedRoles, type Stream, type StreamRole } from '#core/episode';
import type { ClockOffset, MessageTimes } from './clocks.ts';
import { openSchema } from './decoders/encodings.ts';
import { decompressMessage, viewOf } from './decoders/message-compression.ts';
import type { MessageSchema, SchemaSource } from './decoders/message-schema.ts';
import { mapByFile } from './mapped-topics.ts';
import { CalibrationSink } from './sinks/calibration-sink.ts';
import { explainEventDriven, sortByLogTime } from './sinks/finish-streams.ts';
import { NumericSink } from './sinks/numeric-sink.ts';
import { PictureSink } from './sinks/picture-sink.ts';
import { OutcomeSink, TextSink } from './sinks/text-sink.ts';
import { OpaqueSink, type RecordingContext, type TopicResult, type TopicSink } from './sinks/topic-sink.ts';
import { mapTopic, type TopicSpec } from './topic-mapping.ts';

/** Description of a channel before its first message. */
export interface ChannelDescription extends SchemaSource {
  readonly topic: string;
  /** True for latched channels: late subscribers receive the last message, which may be older than the recording. */
  readonly latched?: boolean;
}

/** Zero of the timestamps, split into seconds and nanoseconds so that no message needs a BigInt. */
export interface TimeBase {
  readonly sec: number;
  readonly nsec: number;
}

/** Decodes the messages of one topic with one message definition. */
export class TopicRecorder {
  readonly topic: string;
  count = 0;
  undecodable = 0;
  firstUndecodable = -1;
  /** Log times of the first and last message, nanoseconds from the base. */
  earliest_ns = Number.POSITIVE_INFINITY;
  latest_ns = Number.NEGATIVE_INFINITY;
  /** Type whose built-in definition is used, and why; `null` if the recording's own is used. */
  builtIn: { readonly type: string; readonly why: 'absent' | 'misfit' } | null = null;
  readonly #description: ChannelDescription;
  readonly #context: RecordingContext;
  readonly #base: TimeBase;
  readonly #times: MessageTimes = { log_ns: 0, publish_ns: 0, stamp_ns: Number.NaN, stamp_zero: false };
  #decoder: MessageDecoder | null = null;
  #sink: TopicSink;
  #stampName = '';
  #schemaFinding: Finding | null = null;
  readonly #mappingFindings: Finding[] = [];
  #ready = false;
  #lastLog = Number.NEGATIVE_INFINITY;
  #segment = 0;
  #lastSegment = 0;
  #backwardInSegment = 0;
  #backwardBetweenSegments = 0;
  #publishCopied = true;
  #follows = false;

  constructor(description: ChannelDescription, base: TimeBase, context: RecordingContext) {
    this.topic = description.topic;
    this.#description = description;
    this.#base = base;
    this.#context = context;
    this.#sink = new OpaqueSink('other', null, context);
  }

  /**
   * Sets the chunk or file of the following messages; log times may go backwards between segments but not within one.
   */
  enterSegment(segment: number): void {
    this.#segment = segment;
  }

  /**
   * Adds the message in bytes `start` to before `end`; one that cannot be decoded is only counted. Times are
   * nanoseconds from the base; `offset` is the byte offset in the file, for findings.
   */
  add(
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    log_ns: number,
    publish_ns: number,
    offset: number,
  ): void {
    const times = this.#times;
    times.log_ns = log_ns;
    times.publish_ns = publish_ns;
    times.stamp_ns = Number.NaN;
    times.stamp_zero = false;
    if (publish_ns !== log_ns) this.#publishCopied = false;
    this.#order(log_ns);
    this.count++;
    const inflated = this.#decompress(bytes, start, end);
    const fits =
      inflated === null
        ? this.#take(bytes, view, start, end)
        : this.#take(inflated, viewOf(inflated), 0, inflated.length);
    if (!fits && this.undecodable++ === 0) this.firstUndecodable = offset;
  }

  /** True if the topic determines when the robot was recorded: neither labels nor a latched message. */
  get follows(): boolean {
    return this.#follows && this.count >= minFollowingMessages;
  }

  /** True if every publish time so far equals the log time. */
  get publishCopied(): boolean {
    return this.#publishCopied;
  }

  /** Decompresses an individually compressed message; `null` if it is plain. */
  #decompress(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
    if (bytes[start] !== 0x28 || this.#description.messageEncoding !== 'cdr') return null;
    return decompressMessage(bytes.subarray(start, end));
  }

  /** Decodes a message into the sink. Returns false if the bytes do not fit the definition. */
  #take(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    if (!this.#ready) this.#open(bytes.subarray(start, end));
    const decoder = this.#decoder;
    if (decoder === null) {
      if (this.#sink instanceof OpaqueSink) this.#sink.take(null, this.#times);
      return true;
    }
    if (!tryDecode(decoder, bytes, view, start, end)) return false;
    const out = decoder.out;
    if (out.stamped) this.#stamp(out);
    this.#sink.take(out, this.#times);
    return true;
  }

  /** Returns the streams and findings of the topic. */
  finish(zero_ns: number, offsets: Map<string, ClockOffset>): TopicResult {
    const result = this.#sink.finish({
      topic: this.topic,
      zero_ns,
      clocks: { log: this.#context.logClock, stamp: this.#stampName },
      offsets,
      latched: this.#description.latched ?? false,
      context: this.#context,
    });
    const sorted = this.#backwardBetweenSegments > 0 && this.#backwardInSegment === 0;
    const streams = (sorted ? result.streams.map(sortByLogTime) : result.streams).map((stream) =>
      this.#withEventDriven(stream),
    );
    return { ...result, streams, findings: [...(result.findings ?? []), ...this.#findings(streams)] };
  }

  #withEventDriven(stream: Stream): Stream {
    const event_driven = explainEventDriven(stream, this.#description.schemaName);
    return event_driven === null ? stream : { ...stream, event_driven };
  }

  #order(log_ns: number): void {
    if (log_ns < this.earliest_ns) this.earliest_ns = log_ns;
    if (log_ns > this.latest_ns) this.latest_ns = log_ns;
    if (log_ns < this.#lastLog) {
      if (this.#segment === this.#lastSegment) this.#backwardInSegment++;
      else this.#backwardBetweenSegments++;
    }
    this.#lastLog = log_ns;
    this.#lastSegment = this.#segment;
  }

  #stamp(out: Extraction): void {
    this.#times.stamp_zero = out.stampSec === 0 && out.stampNsec === 0;
    this.#times.stamp_ns = (out.stampSec - this.#base.sec) * 1e9 + (out.stampNsec - this.#base.nsec);
  }

  /** Opens the schema; the first message may be needed to infer it (JSON without a schema). */
  #open(first: Uint8Array): void {
    this.#ready = true;
    const { topic, schemaName } = this.#description;
    const { receiver } = this.#context;
    if (receiver !== null && receiver.stream_id !== topic) return;
    try {
      const opened = openSchema(this.#description, first);
      if (opened.builtIn !== undefined) this.builtIn = { type: schemaName, why: opened.builtIn };
      this.#use(opened, opened.root);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      this.#schemaFinding = {
        code: thrown.code === 'unsupported_version' ? 'encoding_unsupported' : 'schema_unreadable',
        severity: 'warning',
        path: this.#context.path,
        message: `${topic} (${schemaName || 'no schema'}): ${messageOf(thrown)}; its messages were counted, but not decoded`,
        advice: thrown.advice ?? 'record the topic with a supported encoding and message definition',
      };
    }
  }

  #use(opened: MessageSchema, root: StructType): void {
    const stamp = findStampPath(root);
    this.#stampName = stamp ?? '';
    this.#sink = this.#sinkFor(root, stamp);
    this.#decoder = opened.compile(this.#sink.taps);
  }

  #sinkFor(root: StructType, stamp: string | null): TopicSink {
    const spec = this.#mapped(root) ?? mapTopic(this.topic, root);
    this.#follows = rolesOf(spec).some((role) => recordedRoles.has(role));
    switch (spec.kind) {
      case 'numeric':
        return new NumericSink(spec, root, stamp, this.#context);
      case 'picture':
        return new PictureSink(spec, stamp, this.#context);
      case 'calibration':
        return new CalibrationSink(spec, stamp, this.#context);
      case 'text':
        return new TextSink(spec, stamp, this.#context);
      case 'outcome':
        return new OutcomeSink(spec.path, stamp, this.#context);
      default:
        return new OpaqueSink(spec.role, stamp, this.#context);
    }
  }

  /** Returns the streams that a mapping file takes from the topic; `null` if it names none of its fields. */
  #mapped(root: StructType): TopicSpec | null {
    const { topics, path } = this.#context;
    const mapped = topics === null ? null : mapByFile(topics, this.topic, root);
    for (const finding of mapped?.findings ?? []) this.#mappingFindings.push({ ...finding, path });
    return mapped?.spec ?? null;
  }

  #findings(streams: readonly Stream[]): Finding[] {
    const path = this.#context.path;
    const findings: Finding[] = [...this.#mappingFindings];
    if (this.#schemaFinding !== null) findings.push(this.#schemaFinding);
    if (this.undecodable > 0) {
      findings.push({
        code: 'message_undecodable',
        severity: 'error',
        path,
        message: `${this.topic}: ${countPhrase(this.undecodable, 'messages do not match their definition', this.count)}, the first at byte ${this.firstUndecodable}`,
        advice: 're-record, or repair the file; these messages were skipped',
      });
    }
    const backward = this.#backwardInSegment + this.#backwardBetweenSegments;
    if (this.#backwardInSegment > 0) {
      findings.push({
        code: 'log_time_out_of_order',
        severity: 'warning',
        path,
        message: `${this.topic}: the log time goes backwards ${backward === 1 ? 'once' : `${backward} times`}; messages are kept in file order`,
        advice: 'check the recorder: its clock was set back, or messages were written late',
      });
    } else if (this.#backwardBetweenSegments > 0) {
      findings.push({
        code: 'chunks_out_of_time_order',
        severity: 'info',
        path,
        message: `${this.topic}: messages are not stored in time order; ${streams.length === 1 ? 'the stream was' : 'its streams were'} sorted by log time`,
        advice: 'nothing to do: the format allows this',
      });
    }
    return findings;
  }
}

/** Topics with fewer messages (goals, a repeated map) do not follow the robot. */
const minFollowingMessages = 3;

function rolesOf(spec: TopicSpec): readonly StreamRole[] {
  if (spec.kind === 'numeric') return spec.groups.map(({ role }) => role);
  return spec.kind === 'picture' || spec.kind === 'opaque' ? [spec.role] : [];
}

function tryDecode(
  decoder: MessageDecoder,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): boolean {
  try {
    return decoder.decode(bytes, view, start, end);
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}

/** Paths of the capture time, most common first. */
const stampPaths = [
  'header.stamp',
  'stamp',
  'timestamp',
  'header.timestamp',
  'transforms[].header.stamp',
  'time',
];

function findStampPath(root: StructType): string | null {
  const usual = stampPaths.find((path) => typeAt(root, path)?.kind === 'time');
  if (usual !== undefined) return usual;
  const other = root.fields.find(
    (field) => field.type.kind === 'time' && /^(stamp|timestamp|time)/.test(field.name),
  );
  return other?.name ?? null;
}
