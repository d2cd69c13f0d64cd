import type { Extraction, Taps } from '@assay/ros-messages';
import type { Calibration, Event, Finding, Outcome, Stream, TaskText } from '#core/episode';
import type { ClockOffset } from '../clock-choice.ts';
import type { ClockNames, MessageTimes } from '../clock-track.ts';
import type { WantedPictures } from '../pictures/wanted-picture.ts';

/** What all topics of one recording share while it is being read. */
export interface RecordingContext {
  /** The file findings are about, relative to the dataset's root. */
  readonly path: string;
  readonly logClock: string;
  /** Bytes of numbers and stamps held back so far; passing a limit closes the episode. */
  heldBytes: number;
  /** Bytes of pictures held back so far, over all cameras. */
  pictureBytes: number;
  /** The pictures that the recording is read for; null where it is read as a whole. */
  readonly wanted: WantedPictures | null;
}

export interface Finishing {
  readonly topic: string;
  /** Where the episode's time starts, nanoseconds from the recording's base. */
  readonly zero_ns: number;
  readonly clocks: ClockNames;
  /** Where capture times lie against log times, by stream; filled while sinks finish. */
  readonly offsets: Map<string, ClockOffset>;
  /** The sender's last message is handed to whoever comes later, the recorder too. */
  readonly latched: boolean;
  readonly context: RecordingContext;
}

/** What a topic adds to an episode. */
export interface Harvest {
  readonly streams: readonly Stream[];
  readonly findings?: readonly Finding[];
  /** Present (even if empty) when the topic is one that carries task text. */
  readonly tasks?: readonly TaskText[];
  readonly events?: readonly Event[];
  readonly outcome?: Outcome;
  readonly robot?: string;
  readonly calibrations?: readonly Calibration[];
}

/** Takes what a decoder extracts from the messages of one topic, and makes streams of it in the end. */
export interface TopicSink {
  readonly taps: Taps;
  take(message: Extraction, times: MessageTimes): void;
  finish(finishing: Finishing): Harvest;
}
