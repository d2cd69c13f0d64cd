/** A camera as `get_playback` tells of it. */
export interface PlayerCamera {
  readonly stream_id: string;
  /** Media type of what `codec=recorded` gives; null: it is coded as H.264 anyway. */
  readonly mime: string | null;
  readonly rate_hz: number | null;
  /** Seconds that are asked for at once, on a grid from 0; null: all. */
  readonly part_s: number | null;
  /** Why it cannot be shown; null: it can. */
  readonly problem: string | null;
}

/** Part of a camera's film. */
export interface FilmSpan {
  readonly stream_id: string;
  readonly codec: 'recorded' | 'h264';
  readonly from_s: number;
  /** Absent: to the end. */
  readonly until_s?: number;
}

/** A stream's numbers in columns, least and greatest value of each; null where there is none. */
export interface PlayerSignal {
  readonly stream_id: string;
  readonly axis: 'time_s' | 'row';
  readonly at: readonly number[];
  readonly dimensions: readonly {
    readonly index: number;
    readonly name: string | null;
    readonly min: readonly (number | null)[];
    readonly max: readonly (number | null)[];
  }[];
}

/** Seconds since the start of the episode that something is said of. */
export interface PlayerMark {
  readonly from_s: number;
  readonly to_s: number;
  readonly label: string;
  readonly severity?: 'blocking' | 'warning' | 'info';
}

export interface PlayerProps {
  readonly cameras: readonly PlayerCamera[];
  /** Address of a film that answers to ranges, and says in `X-Video-Starts-S` when its time 0 is. */
  readonly spanUrl: (span: FilmSpan) => string;
  readonly duration_s: number;
  readonly signals: readonly PlayerSignal[];
  readonly flags: readonly PlayerMark[];
  readonly segments: readonly PlayerMark[];
  readonly captions: readonly PlayerMark[];
}
