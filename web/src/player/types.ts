import type { Operations } from '#client';
import type { Timeline, TimelineFlag, TimelinePose } from '#quality/report/timeline';
import type { ObjectFrame } from './frame-objects.ts';
import type { PlayClock } from './play-clock.ts';

/** A camera of an episode; see `get_playback`. */
export interface PlayerCamera {
  readonly stream_id: string;
  /** Media type of `codec=recorded`; `null` if the video is always re-encoded as H.264. */
  readonly mime: string | null;
  readonly rate_hz: number | null;
  /** Length in seconds of the parts that the video is loaded in, on a grid from 0; `null` if it is loaded whole. */
  readonly part_s: number | null;
  /** Reason why it cannot be shown; `null` if it can. */
  readonly problem: string | null;
}

/** Part of a camera's video. */
export interface FilmSpan {
  readonly stream_id: string;
  readonly codec: 'recorded' | 'h264';
  readonly from_s: number;
  /** Absent: to the end. */
  readonly until_s?: number;
}

/** Samples of a stream in columns: minimum and maximum of each, `null` where there is no value; see `get_playback`. */
export interface PlayerSignal {
  readonly stream_id: string;
  /** `row` for a stream without timestamps. */
  readonly axis: 'time_s' | 'row';
  /** Time or row of the first sample of each column. */
  readonly at: readonly number[];
  /** Time or row of the last sample. */
  readonly to: number;
  /** Number of samples. */
  readonly rows: number;
  /** Number of dimensions; `dimensions` may have fewer. */
  readonly dims: number;
  readonly dimensions: readonly {
    readonly index: number;
    readonly name: string | null;
    readonly min: readonly (number | null)[];
    readonly max: readonly (number | null)[];
    /** Columns that contain a value that is not finite. */
    readonly not_finite: readonly number[];
  }[];
}

/** Facts of a stream for its heading. */
export interface PlayerStream {
  readonly id: string;
  readonly role: string;
  readonly unit: { readonly unit: string };
  readonly measured_rate_hz: number | null;
}

/** A labelled time span, in seconds since the start of the episode. */
export interface PlayerMark {
  readonly from_s: number;
  readonly to_s: number;
  readonly label: string;
}

/** An annotation layer that can be drawn over frames. */
export interface PlayerLayer {
  readonly id: Operations['get_overlay']['input']['layer'];
  readonly title: string;
  /** Time at which its output was produced. */
  readonly produced_at: string;
}

/** Objects of a layer by time, or the error of the request for them. */
export type PlayerObjects =
  | { readonly frames: readonly ObjectFrame[] }
  | { readonly error: unknown; readonly onRetry: () => void };

export interface PlayerProps {
  readonly cameras: readonly PlayerCamera[];
  /** Returns the address of a part of a video; the answer's header `X-Video-Starts-S` has the time of its first frame. */
  readonly spanUrl: (span: FilmSpan) => string;
  /** Layers that the episode has. */
  readonly layers: readonly PlayerLayer[];
  /** Layer that is drawn over the video; `null` for the video alone. */
  readonly layer: PlayerLayer | null;
  readonly onLayer: (layer: PlayerLayer | null) => void;
  /** Objects of that layer; `null` if it names none and while they are loading. */
  readonly objects: PlayerObjects | null;
  /** Layers that failed on the episode or found nothing, each with the reason. */
  readonly missing: readonly { readonly title: string; readonly reason: string }[];
  /** Returns the address of a frame with a layer drawn over it. */
  readonly layerUrl: (layer: PlayerLayer['id'], stream_id: string, time_s: number) => string;
  readonly duration_s: number;
  /** Clock that several players share; absent if the player has its own. */
  readonly clock?: PlayClock | undefined;
  readonly signals: readonly PlayerSignal[];
  readonly streams: readonly PlayerStream[];
  /** Ids of streams that are not drawn. */
  readonly omitted: readonly string[];
  readonly flags: readonly TimelineFlag[];
  readonly segments: readonly PlayerMark[];
  readonly captions: readonly PlayerMark[];
  /** Poses to show in 3D. */
  readonly poses: readonly TimelinePose[];
  /** Receives the timeline once it is drawn, and `null` when it is closed. */
  readonly onTimeline: (timeline: Timeline | null) => void;
}
