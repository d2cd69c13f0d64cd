import { type Extraction, emptyTaps, type Taps } from '@assay/ros-messages';
import type { Stream, StreamRole } from '#core/episode';
import { ClockTrack, type MessageTimes } from '../clock-track.ts';
import { unknownUnit } from '../units.ts';
import type { Finishing, Harvest, RecordingContext, TopicSink } from './topic-sink.ts';

/** Topics that are counted and timed, and whose content is not read. */
export class OpaqueSink implements TopicSink {
  readonly taps: Taps;
  readonly #role: StreamRole;
  readonly #context: RecordingContext;
  readonly #clocks = new ClockTrack();

  constructor(role: StreamRole, stamp: string | null, context: RecordingContext) {
    this.#role = role;
    this.#context = context;
    this.taps = { ...emptyTaps(), stamp };
  }

  take(_message: Extraction | null, times: MessageTimes): void {
    this.#clocks.push(times);
    this.#context.heldBytes += 24;
  }

  finish(finishing: Finishing): Harvest {
    return { streams: [plainStream('opaque', this.#role, this.#clocks, finishing)] };
  }
}

/** A stream of samples without numbers: opaque payloads or text. */
export function plainStream(
  modality: 'opaque' | 'text',
  role: StreamRole,
  clocks: ClockTrack,
  finishing: Finishing,
): Stream {
  const count = clocks.count;
  const chosen = clocks.finish(finishing.topic, finishing);
  return {
    id: finishing.topic,
    role,
    modality,
    shape: [],
    names: null,
    unit: unknownUnit,
    declared_rate_hz: null,
    sample_count: count,
    clocks: chosen.clocks,
    clock: chosen.choice,
  };
}
