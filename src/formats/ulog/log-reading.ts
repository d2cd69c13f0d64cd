import type { Finding } from '#core/episode';
import { minBodyBytes } from '../shared/flight/decode-numbers.ts';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { RowBatch, type RowClock, SignalTable } from '../shared/flight/signal-table.ts';
import { type MessageHandler, syncMessage } from './log-walk.ts';
import {
  computeLayout,
  decodeText,
  type Format,
  type Layout,
  parseFormat,
  parseKeyValue,
} from './message-formats.ts';
import { groupTopicFields } from './topic-map.ts';
import { createWatcher, levelName, type Watcher } from './watchers.ts';

const maxListed = 16;
const maxFormats = 4096;
const maxTopics = 4096;
const maxValues = 16_384;

/** One subscription: a topic and instance, addressed by the message id in its data. */
interface Topic {
  readonly name: string;
  readonly instance: number;
  readonly layout: Layout;
  /** Minimum bytes of a message; padding at its end may be omitted. */
  readonly minBytes: number;
  readonly timeField: number;
  readonly timeOffset: number;
  readonly batch: RowBatch;
  readonly watcher: Watcher | null;
  /** `null` until the first row, and again after a part was closed. */
  table: SignalTable | null;
}

const utf8 = new TextDecoder('utf-8');

/** Collects the streams, events and findings of one ULog from its messages. */
export class LogReading implements MessageHandler {
  readonly information = new Map<string, string | number>();
  readonly parameters = new Map<string, number>();
  readonly changedParameters = new Set<string>();
  messages = 0;
  version = 0;
  readonly #log: FlightLog;
  readonly #formats = new Map<string, Format>();
  /** Topics by message id; `null` for topics that cannot be read, which are reported. */
  readonly #topics: (Topic | null | undefined)[] = [];
  readonly #byName = new Map<string, Topic>();
  readonly #problems = new Map<string, string>();

  constructor(log: FlightLog) {
    this.#log = log;
  }

  start(start_us: number, version: number): void {
    this.version = version;
    if (start_us > 0) this.#log.start_us = start_us;
    this.#log.last_us = start_us;
  }

  handleMessage(type: number, bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    switch (type) {
      case 0x44:
        return this.#data(view, from, to);
      case 0x4c:
        return this.#text(bytes, view, from, to, from + 1, 'logged text');
      case 0x43:
        return (
          to - from >= 11 &&
          this.#text(bytes, view, from, to, from + 3, `logged text, tag ${view.getUint16(from + 1, true)}`)
        );
      case 0x4f:
        return this.#dropout(view, from, to);
      case 0x53:
        return to - from === 8 && Buffer.compare(bytes.subarray(from, to), syncMessage.subarray(3)) === 0;
      case 0x46:
        return this.#format(bytes.subarray(from, to));
      case 0x41:
        return this.#subscribe(bytes, view, from, to);
      case 0x49:
        return this.#information(bytes, view, from, to);
      case 0x50:
        return this.#parameter(bytes, view, from, to);
      default:
        // Flags were read by `begin`; multi-part information, parameter defaults and unsubscriptions change no values.
        return true;
    }
  }

  flush(view: DataView): void {
    for (const topic of this.#byName.values()) {
      if (topic.batch.count === 0) continue;
      topic.table ??= this.#open(topic);
      this.#log.heldBytes += topic.batch.flush(view, topic.table);
    }
  }

  /** Starts new signal tables; called after a part of the log was closed as an episode. */
  restart(): void {
    for (const topic of this.#byName.values()) topic.table = null;
  }

  /** Returns a warning for each topic that was skipped, with the reason. */
  findings(path: string): Finding[] {
    const found: Finding[] = [];
    for (const [topic, message] of this.#problems) {
      const advice = 'record the log again, or copy it completely; its other topics are read';
      found.push({
        code: 'topic_unreadable',
        severity: 'warning',
        path,
        message: `${topic} was skipped: ${message}`,
        advice,
      });
    }
    return found;
  }

  #data(view: DataView, from: number, to: number): boolean {
    const size = to - from - 2;
    if (size < 0) return false;
    const topic = this.#topics[view.getUint16(from, true)];
    if (topic === null) return true;
    if (topic === undefined || size < topic.minBytes || size > topic.layout.bytes) return false;
    this.messages++;
    topic.batch.push(from + 2);
    const at = from + 2 + topic.timeOffset;
    const time_us = view.getUint32(at + 4, true) * 4294967296 + view.getUint32(at, true);
    this.#log.observeTime(time_us);
    topic.watcher?.(view, from + 2, time_us);
    return true;
  }

  #open(topic: Topic): SignalTable {
    const { name, instance, layout, timeField } = topic;
    const clocks: RowClock[] = [{ name: 'timestamp', field: timeField, unit_us: 1 }];
    const sampled = layout.numbers.findIndex(
      (field) => field.name === 'timestamp_sample' && field.kind === 'uint64',
    );
    if (sampled >= 0) clocks.push({ name: 'timestamp_sample', field: sampled, unit_us: 1, measured: true });
    const excluded = new Set(clocks.map(({ field }) => field));
    const groups = groupTopicFields(name, layout.numbers, excluded);
    const id = instance === 0 ? name : `${name}[${instance}]`;
    const table = new SignalTable(id, layout.numbers, clocks, groups);
    this.#log.addTable(table);
    return table;
  }

  #format(bytes: Uint8Array): boolean {
    const format = parseFormat(utf8.decode(bytes));
    if (format === null) return false;
    if (this.#formats.size < maxFormats) this.#formats.set(format.name, format);
    return true;
  }

  #subscribe(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    if (to - from < 4) return false;
    const instance = bytes[from];
    const name = utf8.decode(bytes.subarray(from + 3, to));
    if (!/^[\w/-]+$/.test(name)) return false;
    const key = `${name}[${instance}]`;
    const topic = this.#byName.get(key) ?? this.#addTopic(name, instance);
    if (topic !== null) this.#byName.set(key, topic);
    this.#topics[view.getUint16(from + 1, true)] = topic;
    return true;
  }

  #addTopic(name: string, instance: number): Topic | null {
    if (this.#byName.size >= maxTopics)
      return this.#rejectTopic(name, `the log has more than ${maxTopics} topics`);
    const layout = computeLayout(name, this.#formats);
    if (typeof layout === 'string') return this.#rejectTopic(name, layout);
    const timeField = layout.numbers.findIndex(
      (field) => field.name === 'timestamp' && field.kind === 'uint64',
    );
    if (timeField < 0) return this.#rejectTopic(name, 'it declares no timestamp');
    const watcher = createWatcher(name, instance, layout.numbers, this.#log);
    return {
      name,
      instance,
      layout,
      minBytes: minBodyBytes(layout.numbers),
      timeField,
      timeOffset: layout.numbers[timeField].offset,
      batch: new RowBatch(),
      watcher: watcher,
      table: null,
    };
  }

  #rejectTopic(name: string, why: string): null {
    if (this.#problems.size < maxListed) this.#problems.set(name, why);
    return null;
  }

  #information(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    const found = parseKeyValue(bytes, view, from, to);
    if (found !== null && this.information.size < maxValues) this.information.set(found.key, found.value);
    return to - from > 1 && bytes[from] > 0 && bytes[from] < to - from;
  }

  /** Records a parameter; a change during the flight becomes an event. */
  #parameter(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    const found = parseKeyValue(bytes, view, from, to);
    if (found === null || typeof found.value === 'string') return false;
    if (this.parameters.size >= maxValues) return true;
    if (this.messages > 0 && this.parameters.get(found.key) !== found.value) {
      this.changedParameters.add(found.key);
      this.#log.addEvent(this.#log.last_us, `parameter ${found.key} = ${found.value}`, 'parameter message');
    }
    this.parameters.set(found.key, found.value);
    return true;
  }

  #text(
    bytes: Uint8Array,
    view: DataView,
    from: number,
    to: number,
    timeAt: number,
    source: string,
  ): boolean {
    const level = levelName(bytes[from]);
    if (level === null || to < timeAt + 8) return false;
    const time_us = Number(view.getBigUint64(timeAt, true));
    this.#log.addEvent(time_us, `${level}: ${decodeText(bytes.subarray(timeAt + 8, to))}`, source);
    return true;
  }

  /** Records a dropout. It has no time of its own, so it is stamped with the last time before it. */
  #dropout(view: DataView, from: number, to: number): boolean {
    if (to - from < 2) return false;
    this.#log.addDropout(this.#log.last_us, view.getUint16(from, true) / 1e3, null);
    return true;
  }
}
