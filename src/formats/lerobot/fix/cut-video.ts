import { type CodedVideo, type ListedPacket, openCodedVideo, PacketCopier } from '#io/video';

/** Ticks of a frame: any rate in whole frames a second is exact. */
const ticks = 512;

/** Places, in the order of showing, of the frames that stay. */
export type KeepFrame = (shown: number) => boolean;

/**
 * Writes a video of so many frames once more with some of them, each shown at its place / rate; packets are copied as
 * they are. False where that cannot be: frames that stay need some that go, or the container hides or repeats frames.
 */
export async function writeCut(
  source: string,
  target: string,
  { frames, rate_hz, keep }: { readonly frames: number; readonly rate_hz: number; readonly keep: KeepFrame },
): Promise<boolean> {
  const video = await openCodedVideo(source);
  try {
    const kept = keptOf(video.packets, frames, keep);
    if (kept === null) return false;
    const fresh = stamped(video, kept, rate_hz);
    const copier = await PacketCopier.open(target, fresh, { hides: true });
    try {
      for await (const [place, packet] of video.read(new Set(kept))) copier.write(packet, place, 0, fresh);
    } finally {
      await copier.close();
    }
    return true;
  } finally {
    await video.close();
  }
}

/** Whether these frames can be cut out of a video by copying packets. */
export async function canCut(source: string, frames: number, keep: KeepFrame): Promise<boolean> {
  const video = await openCodedVideo(source).catch(() => null);
  if (video === null) return false;
  await video.close();
  return keptOf(video.packets, frames, keep) !== null;
}

/**
 * Places in decoding order. Null where a frame that stays is decoded from one that goes: behind a cut decoding has to
 * begin anew.
 */
function keptOf(packets: readonly ListedPacket[], frames: number, keep: KeepFrame): number[] | null {
  if (packets.length !== frames) return null;
  const shown = shownOrder(packets.map(({ pts }) => pts));
  const stays = packets.map((_, at) => keep(shown[at]));
  for (const [at, { key }] of packets.entries()) {
    if (!stays[at] || at === 0 || stays[at - 1]) continue;
    const group = packets.slice(at).findIndex((one, behind) => behind > 0 && one.key);
    const end = group < 0 ? packets.length : at + group;
    if (!key || shown.slice(at, end).some((place) => place < shown[at])) return null;
  }
  const kept = [...packets.keys()].filter((at) => stays[at]);
  return kept.length === 0 || !packets[kept[0]].key ? null : kept;
}

/** The place of each frame in the order of showing. */
function shownOrder(pts: readonly number[]): number[] {
  const order = pts.map((_, at) => at).sort((a, b) => pts[a] - pts[b] || a - b);
  const places = new Array<number>(pts.length);
  for (const [place, at] of order.entries()) places[at] = place;
  return places;
}

/** The video with the stamps of the frames that stay on the grid; the first is shown at 0, and decoded as long before as it takes. */
function stamped(video: CodedVideo, kept: readonly number[], rate_hz: number): CodedVideo {
  const shown = shownOrder(kept.map((at) => video.packets[at].pts));
  const delay = Math.max(...shown.map((place, at) => at - place));
  const packets = [...video.packets];
  for (const [at, place] of kept.entries())
    packets[place] = {
      ...packets[place],
      pts: shown[at] * ticks,
      dts: (at - delay) * ticks,
      duration: ticks,
    };
  const den = Math.round(rate_hz * ticks);
  return { ...video, packets, time_base: { num: 1, den }, frame_rate: { num: den, den: ticks } };
}
