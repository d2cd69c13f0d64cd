import { type Extraction, emptyTaps, type Taps } from '@assay/ros-messages';
import type { Event, Outcome, TaskText } from '#core/episode';
import { ClockTrack, type MessageTimes } from '../clock-track.ts';
import type { TopicSpec } from '../topic-mapping.ts';
import { plainStream } from './opaque-sink.ts';
import { outcomeOf } from './outcome.ts';
import type { Finishing, Harvest, RecordingContext, TopicSink } from './topic-sink.ts';

const maxTasks = 64;
const maxEvents = 4096;
const maxCharacters = 4096;

/** Topics of text: what is to be done, what happened, how it ended, or anything else. */
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

  finish(finishing: Finishing): Harvest {
    const role = this.#use === 'task' || this.#use === 'event' ? 'annotation' : 'other';
    const source = finishing.topic;
    const tasks: TaskText[] = [...this.#tasks].map((text) => ({ text, source }));
    const events: Event[] = this.#events.map(({ log_ns, label }) => ({
      time_s: (log_ns - finishing.zero_ns) / 1e9,
      label,
      source,
    }));
    const outcome: Outcome | null =
      this.#use === 'outcome' && this.#last !== null ? outcomeOf(this.#last, `topic ${source}`) : null;
    return {
      streams: [plainStream('text', role, this.#clocks, finishing)],
      ...(this.#use === 'task' ? { tasks } : {}),
      events,
      ...(outcome === null ? {} : { outcome }),
      ...(this.#robot === null ? {} : { robot: this.#robot }),
    };
  }
}
