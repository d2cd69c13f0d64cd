import { type Extraction, emptyTaps, type Taps } from '@assay/ros-messages';
import type { Calibration, Event, Finding, Outcome, Stream, StreamRole, TaskText } from '#core/episode';
import { type ClockNames, type ClockOffset, ClockTrack, type MessageTimes } from '../clocks.ts';
import type { TopicMapping } from '../mapped-topics.ts';
import type { PictureReceiver } from '../requested-pictures.ts';
import { unknownUnit } from '../topic-roles.ts';

/** State shared by all topics of a recording while it is read. */
export interface RecordingContext {
  /** File for findings, relative to the dataset's root. */
  readonly path: string;
  readonly logClock: string;
  /** Bytes of numbers and timestamps in memory; above a limit the episode is closed. */
  heldBytes: number;
  /** Bytes of sampled pictures of all cameras. */
  pictureBytes: number;
  /** Receiver of the requested pictures; `null` if the whole recording is read. */
  readonly receiver: PictureReceiver | null;
  /** Streams that a mapping file takes from topics; `null` without one. */
  readonly topics: TopicMapping | null;
}

/** Context in which a sink finishes. */
export interface FinishOptions {
  readonly topic: string;
  /** Start of the episode, nanoseconds from the recording's base. */
  readonly zero_ns: number;
  readonly clocks: ClockNames;
  /** Offsets of capture times from log times by stream id; filled while sinks finish. */
  readonly offsets: Map<string, ClockOffset>;
  /** True for latched topics: late subscribers, including the recorder, receive the last message. */
  readonly latched: boolean;
  readonly context: RecordingContext;
}

/** Contribution of a topic to an episode. */
export interface TopicResult {
  readonly streams: readonly Stream[];
  readonly findings?: readonly Finding[];
  /** Present, even if empty, if the topic carries task text. */
  readonly tasks?: readonly TaskText[];
  readonly events?: readonly Event[];
  readonly outcome?: Outcome;
  readonly robot?: string;
  readonly calibrations?: readonly Calibration[];
}

/** Collects the extracted fields of one topic's messages and turns them into streams at the end. */
export interface TopicSink {
  readonly taps: Taps;
  /** Adds the extracted fields and the timestamps of one message. */
  take(message: Extraction, times: MessageTimes): void;
  /** Returns the streams of the topic and what else it adds to the episode; call once, after the last message. */
  finish(finishing: FinishOptions): TopicResult;
}

/** Topics that are counted and timed, but not decoded. */
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

  finish(finishing: FinishOptions): TopicResult {
    return { streams: [createPlainStream('opaque', this.#role, this.#clocks, finishing)] };
  }
}

/** Returns a stream of opaque payloads or text without numbers, with the clocks of `clocks`, which is emptied. */
export function createPlainStream(
  modality: 'opaque' | 'text',
  role: StreamRole,
  clocks: ClockTrack,
  finishing: FinishOptions,
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
