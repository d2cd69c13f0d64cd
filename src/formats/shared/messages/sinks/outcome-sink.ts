import { type Extraction, emptyTaps, type Taps } from '@assay/ros-messages';
import { ClockTrack, type MessageTimes } from '../clock-track.ts';
import { plainStream } from './opaque-sink.ts';
import { outcomeOf } from './outcome.ts';
import type { Finishing, Harvest, RecordingContext, TopicSink } from './topic-sink.ts';

/** A topic with one number or flag that says whether the task succeeded; its last message counts. */
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

  finish(finishing: Finishing): Harvest {
    const streams = [plainStream('opaque', 'annotation', this.#clocks, finishing)];
    if (Number.isNaN(this.#last)) return { streams };
    return { streams, outcome: outcomeOf(String(this.#last), `topic ${finishing.topic}`) };
  }
}
