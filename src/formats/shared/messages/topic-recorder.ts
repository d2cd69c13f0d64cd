import { type Extraction, type MessageDecoder, type StructType, typeAt } from '@assay/ros-messages';
import { AssayError, counted, messageOf } from '#core';
import { type Finding, recordedRoles, type Stream, type StreamRole } from '#core/episode';
import type { ClockOffset } from './clock-choice.ts';
import type { MessageTimes } from './clock-track.ts';
import { openSchema } from './decoders/encodings.ts';
import { inflatedMessage, viewOf } from './decoders/message-compression.ts';
import type { OpenedSchema } from './decoders/opened-schema.ts';
import type { SchemaText } from './decoders/schema-text.ts';
import { CalibrationSink } from './sinks/calibration-sink.ts';
import { eventDriven } from './sinks/event-driven.ts';
import { NumericSink } from './sinks/numeric-sink.ts';
import { OpaqueSink } from './sinks/opaque-sink.ts';
import { OutcomeSink } from './sinks/outcome-sink.ts';
import { PictureSink } from './sinks/picture-sink.ts';
import { inStorageOrder } from './sinks/storage-order.ts';
import { TextSink } from './sinks/text-sink.ts';
import type { Harvest, RecordingContext, TopicSink } from './sinks/topic-sink.ts';
import { mapTopic, type TopicSpec } from './topic-mapping.ts';

/** What a container says of a topic before its first message. */
export interface ChannelDescription extends SchemaText {
  readonly topic: string;
  /** The sender's last message is handed to whoever comes later: what it says may be older than the recording. */
  readonly latched?: boolean;
}

/** The zero that stamps are counted from, split so that no message needs a BigInt. */
export interface TimeBase {
  readonly sec: number;
  readonly nsec: number;
}

/** Reads the messages of one topic with one message definition. */
export class TopicRecorder {
  readonly topic: string;
  count = 0;
  undecodable = 0;
  firstUndecodable = -1;
  /** Log times of its first and last message, nanoseconds from the base. */
  earliest_ns = Number.POSITIVE_INFINITY;
  latest_ns = Number.NEGATIVE_INFINITY;
  /** The type whose built-in definition was taken, and why; null: the recording's own was. */
  builtIn: { readonly type: string; readonly why: 'absent' | 'misfit' } | null = null;
  readonly #description: ChannelDescription;
  readonly #context: RecordingContext;
  readonly #base: TimeBase;
  readonly #times: MessageTimes = { log_ns: 0, publish_ns: 0, stamp_ns: Number.NaN, stamp_zero: false };
  #decoder: MessageDecoder | null = null;
  #sink: TopicSink;
  #stampName = '';
  #unread: Finding | null = null;
  #ready = false;
  #lastLog = Number.NEGATIVE_INFINITY;
  #segment = 0;
  #lastSegment = 0;
  #backInside = 0;
  #backBetween = 0;
  #publishCopied = true;
  #follows = false;

  constructor(description: ChannelDescription, base: TimeBase, context: RecordingContext) {
    this.topic = description.topic;
    this.#description = description;
    this.#base = base;
    this.#context = context;
    this.#sink = new OpaqueSink('other', null, context);
  }

  /** Messages from here on lie in another chunk or file of the container, which may be out of time order. */
  enterSegment(segment: number): void {
    this.#segment = segment;
  }

  /** One message. Times are nanoseconds from the base; `place` is where it lies, for findings. */
  add(
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    log_ns: number,
    publish_ns: number,
    place: number,
  ): void {
    const times = this.#times;
    times.log_ns = log_ns;
    times.publish_ns = publish_ns;
    times.stamp_ns = Number.NaN;
    times.stamp_zero = false;
    if (publish_ns !== log_ns) this.#publishCopied = false;
    this.#order(log_ns);
    this.count++;
    const inflated = this.#inflated(bytes, start, end);
    const fits =
      inflated === null
        ? this.#take(bytes, view, start, end)
        : this.#take(inflated, viewOf(inflated), 0, inflated.length);
    if (!fits && this.undecodable++ === 0) this.firstUndecodable = place;
  }

  /** Tells from when to when the robot was recorded: neither a label nor a message that was said once and kept. */
  get follows(): boolean {
    return this.#follows && this.count >= fewestFollowing;
  }

  get publishCopied(): boolean {
    return this.#publishCopied;
  }

  /** The message where it is compressed by itself; null where it lies there plainly. */
  #inflated(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
    if (bytes[start] !== 0x28 || this.#description.messageEncoding !== 'cdr') return null;
    return inflatedMessage(bytes.subarray(start, end));
  }

  /** False: the bytes do not fit the definition. */
  #take(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    if (!this.#ready) this.#open(bytes.subarray(start, end));
    const decoder = this.#decoder;
    if (decoder === null) {
      if (this.#sink instanceof OpaqueSink) this.#sink.take(null, this.#times);
      return true;
    }
    if (!decodes(decoder, bytes, view, start, end)) return false;
    const out = decoder.out;
    if (out.stamped) this.#stamp(out);
    this.#sink.take(out, this.#times);
    return true;
  }

  finish(zero_ns: number, offsets: Map<string, ClockOffset>): Harvest {
    const harvest = this.#sink.finish({
      topic: this.topic,
      zero_ns,
      clocks: { log: this.#context.logClock, stamp: this.#stampName },
      offsets,
      latched: this.#description.latched ?? false,
      context: this.#context,
    });
    const sorted = this.#backBetween > 0 && this.#backInside === 0;
    const streams = (sorted ? harvest.streams.map(inStorageOrder) : harvest.streams).map((stream) =>
      this.#withOccasion(stream),
    );
    return { ...harvest, streams, findings: [...(harvest.findings ?? []), ...this.#findings(streams)] };
  }

  #withOccasion(stream: Stream): Stream {
    const event_driven = eventDriven(stream, this.#description.schemaName);
    return event_driven === null ? stream : { ...stream, event_driven };
  }

  #order(log_ns: number): void {
    if (log_ns < this.earliest_ns) this.earliest_ns = log_ns;
    if (log_ns > this.latest_ns) this.latest_ns = log_ns;
    if (log_ns < this.#lastLog) {
      if (this.#segment === this.#lastSegment) this.#backInside++;
      else this.#backBetween++;
    }
    this.#lastLog = log_ns;
    this.#lastSegment = this.#segment;
  }

  #stamp(out: Extraction): void {
    this.#times.stamp_zero = out.stampSec === 0 && out.stampNsec === 0;
    this.#times.stamp_ns = (out.stampSec - this.#base.sec) * 1e9 + (out.stampNsec - this.#base.nsec);
  }

  /** The first message may be needed to learn what messages look like (JSON without a schema). */
  #open(first: Uint8Array): void {
    this.#ready = true;
    const { topic, schemaName } = this.#description;
    const { wanted } = this.#context;
    if (wanted !== null && wanted.stream_id !== topic) return;
    try {
      const opened = openSchema(this.#description, first);
      if (opened.builtIn !== undefined) this.builtIn = { type: schemaName, why: opened.builtIn };
      this.#use(opened, opened.root);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      this.#unread = {
        code: thrown.code === 'unsupported_version' ? 'encoding_unsupported' : 'schema_unreadable',
        severity: 'warning',
        path: this.#context.path,
        message: `${topic} (${schemaName || 'no schema'}): ${messageOf(thrown)}; its messages are counted, not read`,
        advice:
          thrown.advice ?? 'record the topic with an encoding and a message definition that can be read',
      };
    }
  }

  #use(opened: OpenedSchema, root: StructType): void {
    const stamp = stampPath(root);
    this.#stampName = stamp ?? '';
    this.#sink = this.#sinkFor(root, stamp);
    this.#decoder = opened.compile(this.#sink.taps);
  }

  #sinkFor(root: StructType, stamp: string | null): TopicSink {
    const spec = mapTopic(this.topic, root);
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

  #findings(streams: readonly Stream[]): Finding[] {
    const findings: Finding[] = [];
    const path = this.#context.path;
    if (this.#unread !== null) findings.push(this.#unread);
    if (this.undecodable > 0) {
      findings.push({
        code: 'message_undecodable',
        severity: 'error',
        path,
        message: `${this.topic}: ${counted(this.undecodable, 'messages do not fit their definition', this.count)}, the first at byte ${this.firstUndecodable}`,
        advice: 'record again, or repair the file; these messages were left out',
      });
    }
    if (this.#backInside > 0) {
      findings.push({
        code: 'log_time_out_of_order',
        severity: 'warning',
        path,
        message: `${this.topic}: the log time runs backwards ${this.#backInside + this.#backBetween} times; the messages are kept in the order of the file`,
        advice: 'check the recorder: a clock was set back, or messages were written late',
      });
    } else if (this.#backBetween > 0) {
      findings.push({
        code: 'chunks_out_of_time_order',
        severity: 'info',
        path,
        message: `${this.topic}: the file does not keep its messages in time order; ${streams.length === 1 ? 'the stream was' : 'its streams were'} put in the order of the log time`,
        advice: 'nothing to do: the format allows it',
      });
    }
    return findings;
  }
}

/** A goal or two, a map sent again: fewer messages than this follow nothing. */
const fewestFollowing = 3;

function rolesOf(spec: TopicSpec): readonly StreamRole[] {
  if (spec.kind === 'numeric') return spec.groups.map(({ role }) => role);
  return spec.kind === 'picture' || spec.kind === 'opaque' ? [spec.role] : [];
}

function decodes(
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

/** Where a message keeps its capture time, most usual first. */
const stampPaths = [
  'header.stamp',
  'stamp',
  'timestamp',
  'header.timestamp',
  'transforms[].header.stamp',
  'time',
];

function stampPath(root: StructType): string | null {
  const usual = stampPaths.find((path) => typeAt(root, path)?.kind === 'time');
  if (usual !== undefined) return usual;
  const other = root.fields.find(
    (field) => field.type.kind === 'time' && /^(stamp|timestamp|time)/.test(field.name),
  );
  return other?.name ?? null;
}
