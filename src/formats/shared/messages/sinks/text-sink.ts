import { type Extraction, emptyTaps, type Taps } from '@assay/ros-messages';
import type { Event, Outcome, TaskText } from '#core/episode';
import { ClockTrack, type MessageTimes } from '../clocks.ts';
import { parseOutcome } from '../recording-metadata.ts';
import type { TopicSpec } from '../topic-mapping.ts';
import {
  createPlainStream,
  type FinishOptions,
  type RecordingContext,
  type TopicResult,
  type TopicSink,
} from './topic-sink.ts';

const maxTasks = 64;
const maxEvents = 4096;
const maxCharacters = 4096;

/** Text topics: tasks, events, outcomes, robot descriptions or other text. */
export class TextSink implements TopicSink {
  readonly taps: Taps;
  readonly #use: Extract<TopicSpec, { kind: 'text' }>['use'];
  readonly #context: RecordingContext;
  readonly #clocks = new ClockTrack();
  readonly #tasks = new Set<string>();
  readonly #events: { log_ns: number; label: string }[] = [];
  #last: string | null = null;
  #robot: string | null = null;

  constructor(spec: Extract<TopicSpec, { kind: 'text' }>, stamp: string | null, context: RecordingContext) {
    this.#use = spec.use;
    this.#context = context;
    this.taps = { ...emptyTaps(), stamp, texts: [spec.path] };
  }

  take(message: Extraction, times: MessageTimes): void {
    this.#clocks.push(times);
    this.#context.heldBytes += 24;
    if (this.#use === 'other') return;
    if (this.#use === 'robot') {
      this.#robot ??=
        /<robot[^>]*\sname\s*=\s*"([^"]+)"/.exec(message.text(0).slice(0, maxCharacters))?.[1] ?? null;
      return;
    }
    const text = message.text(0).slice(0, maxCharacters);
    if (this.#use === 'task' && this.#tasks.size < maxTasks) this.#tasks.add(text);
    if (this.#use === 'event' && this.#events.length < maxEvents) {
      this.#events.push({ log_ns: times.log_ns, label: text });
    }
    this.#last = text;
  }

  finish(finishing: FinishOptions): TopicResult {
    const role = this.#use === 'task' || this.#use === 'event' ? 'annotation' : 'other';
    const source = finishing.topic;
    const tasks: TaskText[] = [...this.#tasks].map((text) => ({ text, source }));
    const events: Event[] = this.#events.map(({ log_ns, label }) => ({
      time_s: (log_ns - finishing.zero_ns) / 1e9,
      label,
      source,
    }));
    const outcome: Outcome | null =
      this.#use === 'outcome' && this.#last !== null ? parseOutcome(this.#last, `topic ${source}`) : null;
    return {
      streams: [createPlainStream('text', role, this.#clocks, finishing)],
      ...(this.#use === 'task' ? { tasks } : {}),
      events,
      ...(outcome === null ? {} : { outcome }),
      ...(this.#robot === null ? {} : { robot: this.#robot }),
    };
  }
}

/** Topics with a number or flag for task success; the last message counts. */
export class OutcomeSink implements TopicSink {
  readonly taps: Taps;
  readonly #context: RecordingContext;
  readonly #clocks = new ClockTrack();
  #last = Number.NaN;

  constructor(path: string, stamp: string | null, context: RecordingContext) {
    this.#context = context;
    this.taps = { ...emptyTaps(), stamp, numbers: [{ paths: [path] }] };
  }

  take(message: Extraction, times: MessageTimes): void {
    this.#clocks.push(times);
    this.#context.heldBytes += 24;
    if (message.counts[0] > 0) this.#last = message.numbers[0][0];
  }

  finish(finishing: FinishOptions): TopicResult {
    const streams = [createPlainStream('opaque', 'annotation', this.#clocks, finishing)];
    if (Number.isNaN(this.#last)) return { streams };
    return { streams, outcome: parseOutcome(String(this.#last), `topic ${finishing.topic}`) };
  }
}
