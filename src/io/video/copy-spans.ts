import type { CodedVideo } from './coded-video.ts';
import { PacketCopier, spanPackets, type VideoSpan } from './packet-copier.ts';

/**
 * Copies each span of a video into a file of its own, whose first frame is shown at 0. The source is read once. Gives
 * for each how many frames lie ahead of 0, only to decode the first from; players leave them out. Throws
 * `unreadable_input` where a span holds no frame, `output_unwritable`.
 */
export async function copySpans(
  video: CodedVideo,
  spans: readonly VideoSpan[],
  paths: readonly string[],
): Promise<number[]> {
  const parts = spans.map((span) => spanPackets(video, span));
  const wanted = new Set(parts.flatMap(({ kept }) => [...kept]));
  const open = new Map<number, PacketCopier>();
  let next = 0;
  try {
    for await (const [place, packet] of video.read(wanted)) {
      for (; next < parts.length && parts[next].first <= place; next++)
        open.set(next, await PacketCopier.open(paths[next], video, { hides: true }));
      for (const [at, copier] of open) {
        const { kept, shift, last } = parts[at];
        const own = kept.has(place) ? packet.clone() : null;
        if (own !== null) copier.write(own, place, shift, video);
        own?.free();
        if (place < last) continue;
        open.delete(at);
        await copier.close();
      }
    }
  } finally {
    for (const copier of open.values()) await copier.close();
  }
  return parts.map(({ hidden }) => hidden);
}
