import type { Finding } from '#core/episode';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { bytesNeeded } from '../shared/flight/number-row.ts';
import { RowBatch } from '../shared/flight/row-batch.ts';
import { type RowClock, SignalTable } from '../shared/flight/signal-table.ts';
import { type Format, type Layout, layOut, parseFormat, parseKeyValue, textOf } from './info.ts';
import type { MessageTaker } from './log-walk.ts';
import { groupsOf } from './topic-map.ts';
import { syncMessage } from './ulog-head.ts';
import { levelName, type Watcher, watcherOf } from './watchers.ts';

const mostNamed = 16;
const maxFormats = 4096;
const maxTopics = 4096;
const maxValues = 16_384;

/** One subscription: a topic and its instance, under the number that its data carry. */
interface Topic {
  readonly name: string;
  readonly instance: number;
  readonly layout: Layout;
  /** Bytes that a message must have; padding at its end may be left out. */
  readonly needed: number;
  readonly timeField: number;
  readonly timeOffset: number;
  readonly batch: RowBatch;
  readonly watch: Watcher | null;
  /** null until the first row, and again after a part was closed. */
  table: SignalTable | null;
}

const utf8 = new TextDecoder('utf-8');

/** Takes the messages of one ULog as they come and gathers what they say. */
export class LogReading implements MessageTaker {
  readonly information = new Map<string, string | number>();
  readonly parameters = new Map<string, number>();
  readonly changedParameters = new Set<string>();
  messages = 0;
  version = 0;
  readonly #log: FlightLog;
  readonly #formats = new Map<string, Format>();
  /** By message number; null: a topic that cannot be read, of which a finding tells. */
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

  take(type: number, bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
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
        // Flags were read; further pieces of information, defaults and ends of subscriptions change no number.
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

  /** To be called when the log was closed as an episode: its tables went with it. */
  restart(): void {
    for (const topic of this.#byName.values()) topic.table = null;
  }

  findings(path: string): Finding[] {
    const found: Finding[] = [];
    for (const [topic, message] of this.#problems) {
      const advice = 'record the log again, or fetch it whole; its other topics are read';
      found.push({
        code: 'topic_unreadable',
        severity: 'warning',
        path,
        message: `${topic} was left out: ${message}`,
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
    if (topic === undefined || size < topic.needed || size > topic.layout.bytes) return false;
    this.messages++;
    topic.batch.push(from + 2);
    const at = from + 2 + topic.timeOffset;
    const time_us = view.getUint32(at + 4, true) * 4294967296 + view.getUint32(at, true);
    this.#log.saw(time_us);
    topic.watch?.(view, from + 2, time_us);
    return true;
  }

  #open(topic: Topic): SignalTable {
    const { name, instance, layout, timeField } = topic;
    const clocks: RowClock[] = [{ name: 'timestamp', field: timeField, us: 1 }];
    const sampled = layout.numbers.findIndex(
      (field) => field.name === 'timestamp_sample' && field.kind === 'uint64',
    );
    if (sampled >= 0) clocks.push({ name: 'timestamp_sample', field: sampled, us: 1, measured: true });
    const taken = new Set(clocks.map(({ field }) => field));
    const groups = groupsOf(name, layout.numbers, taken);
    const id = instance === 0 ? name : `${name}[${instance}]`;
    const table = new SignalTable(id, layout.numbers, clocks, groups);
    this.#log.hold(table);
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
    const topic = this.#byName.get(key) ?? this.#lay(name, instance);
    if (topic !== null) this.#byName.set(key, topic);
    this.#topics[view.getUint16(from + 1, true)] = topic;
    return true;
  }

  #lay(name: string, instance: number): Topic | null {
    if (this.#byName.size >= maxTopics)
      return this.#refuse(name, `the log has more than ${maxTopics} topics`);
    const layout = layOut(name, this.#formats);
    if (typeof layout === 'string') return this.#refuse(name, layout);
    const timeField = layout.numbers.findIndex(
      (field) => field.name === 'timestamp' && field.kind === 'uint64',
    );
    if (timeField < 0) return this.#refuse(name, 'it declares no timestamp');
    const watch = watcherOf(name, instance, layout.numbers, this.#log);
    return {
      name,
      instance,
      layout,
      needed: bytesNeeded(layout.numbers),
      timeField,
      timeOffset: layout.numbers[timeField].offset,
      batch: new RowBatch(),
      watch,
      table: null,
    };
  }

  #refuse(name: string, why: string): null {
    if (this.#problems.size < mostNamed) this.#problems.set(name, why);
    return null;
  }

  #information(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    const found = parseKeyValue(bytes, view, from, to);
    if (found !== null && this.information.size < maxValues) this.information.set(found.key, found.value);
    return to - from > 1 && bytes[from] > 0 && bytes[from] < to - from;
  }

  /** Set before the flight, or changed during it: then it is an event as well. */
  #parameter(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    const found = parseKeyValue(bytes, view, from, to);
    if (found === null || typeof found.value === 'string') return false;
    if (this.parameters.size >= maxValues) return true;
    if (this.messages > 0 && this.parameters.get(found.key) !== found.value) {
      this.changedParameters.add(found.key);
      this.#log.event(this.#log.last_us, `parameter ${found.key} = ${found.value}`, 'parameter message');
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
    this.#log.event(time_us, `${level}: ${textOf(bytes.subarray(timeAt + 8, to))}`, source);
    return true;
  }

  /** It has no time of its own: it comes right after the last data that were not lost. */
  #dropout(view: DataView, from: number, to: number): boolean {
    if (to - from < 2) return false;
    this.#log.dropout(this.#log.last_us, view.getUint16(from, true) / 1e3, null);
    return true;
  }
}
