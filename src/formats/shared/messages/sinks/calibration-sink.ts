import { type Extraction, emptyTaps, type Taps } from '@assay/ros-messages';
import type { Calibration, Finding } from '#core/episode';
import { ClockTrack, type MessageTimes } from '../clocks.ts';
import type { TopicSpec } from '../topic-mapping.ts';
import {
  createPlainStream,
  type FinishOptions,
  type RecordingContext,
  type TopicResult,
  type TopicSink,
} from './topic-sink.ts';

/** Camera calibrations: returns the first message and counts later ones that differ. */
export class CalibrationSink implements TopicSink {
  readonly taps: Taps;
  readonly #fields: readonly string[];
  readonly #hasModel: boolean;
  readonly #context: RecordingContext;
  readonly #clocks = new ClockTrack();
  #first: readonly (readonly number[])[] | null = null;
  #model: string | null = null;
  #changed = 0;

  constructor(
    spec: Extract<TopicSpec, { kind: 'calibration' }>,
    stamp: string | null,
    context: RecordingContext,
  ) {
    this.#fields = Object.keys(spec.fields);
    this.#hasModel = spec.model !== null;
    this.#context = context;
    this.taps = {
      ...emptyTaps(),
      stamp,
      numbers: Object.values(spec.fields).map((path) => ({ paths: [path] })),
      texts: spec.model === null ? [] : [spec.model],
    };
  }

  take(message: Extraction, times: MessageTimes): void {
    this.#clocks.push(times);
    this.#context.heldBytes += 24;
    if (this.#first === null) {
      this.#first = message.numbers.map((group, g) => Array.from(group.subarray(0, message.counts[g])));
      this.#model = this.#hasModel ? message.text(0) : null;
    } else if (!same(this.#first, message)) this.#changed++;
  }

  finish(finishing: FinishOptions): TopicResult {
    const streams = [createPlainStream('opaque', 'other', this.#clocks, finishing)];
    if (this.#first === null) return { streams };
    const values = Object.fromEntries(this.#fields.map((field, g) => [field, this.#first?.[g] ?? []]));
    const source = finishing.topic;
    const target = source.replace(/\/(camera_info|calibration)$/, '');
    const calibrations: Calibration[] = [{ target, model: this.#model || null, source, values }];
    const findings: Finding[] = [];
    if (this.#changed > 0) {
      findings.push({
        code: 'calibration_changes',
        severity: 'warning',
        path: finishing.context.path,
        message: `${source}: the calibration changes; messages that differ from the first: ${this.#changed}`,
        advice: 'find out which calibration applies to the images',
      });
    }
    return { streams, calibrations, findings };
  }
}

function same(first: readonly (readonly number[])[], message: Extraction): boolean {
  return first.every((values, g) => {
    if (values.length !== message.counts[g]) return false;
    return values.every((value, i) => Object.is(value, message.numbers[g][i]));
  });
}
