import type { CodedVideo } from './coded-video.ts';
import type { ListedPacket } from './packet-runs.ts';

/** Ticks that a frame lasts; MP4 has room for as many each second at any rate. */
const frame_ticks = 512;
/** FFmpeg's stamp of a packet that has none is the least there is. */
const none = -(2 ** 62);

/** A video whose frame k, in the order in which they are shown, is shown at k / rate. */
export interface EvenVideo {
  readonly video: CodedVideo;
  /** Seconds of the source at which each is shown, rising; null: the source does not say. */
  readonly shown_s: Float64Array | null;
}

/** The same packets, stamped for an even grid. A reason where nobody can tell which frame is which. */
export function evenVideo(video: CodedVideo, rate_hz: number): EvenVideo | string {
  const { packets, stream } = video;
  const stamped = packets.every(({ pts }) => pts > none);
  if (!stamped && stream.codecpar.videoDelay > 0)
    return 'its frames have no stamps, and may be shown in another order than they are coded';
  const order = [...packets.keys()];
  if (stamped) order.sort((a, b) => packets[a].pts - packets[b].pts);
  if (stamped && order.some((place, i) => i > 0 && packets[place].pts === packets[order[i - 1]].pts))
    return 'two of its frames have the same stamp';
  const even = evenPackets(packets, order);
  const time_base = { num: 1, den: rate_hz * frame_ticks };
  return {
    video: {
      ...video,
      packets: even,
      tick_s: 1 / time_base.den,
      time_base,
      frame_rate: { num: rate_hz, den: 1 },
    },
    shown_s: stamped ? Float64Array.from(order, (place) => packets[place].pts * video.tick_s) : null,
  };
}

/** `order`: places in the order of showing. Every packet is decoded no later than it is shown. */
function evenPackets(packets: readonly ListedPacket[], order: readonly number[]): ListedPacket[] {
  const ranks = new Int32Array(order.length);
  for (const [rank, place] of order.entries()) ranks[place] = rank;
  const delay = ranks.reduce((most, rank, place) => Math.max(most, place - rank), 0);
  return packets.map(({ key }, place) => ({
    pts: ranks[place] * frame_ticks,
    dts: (place - delay) * frame_ticks,
    duration: frame_ticks,
    key,
  }));
}
