import { join } from 'node:path';
import { Decoder, Demuxer, type Frame } from 'node-av';
import { blackFrame, type FramePlan } from '#apps/samples';
import type { Episode, Stream } from '#core/episode';
import { openVideoWriter } from '#io/video';

/** The frames of one camera in one episode, decoded. */
export interface Clip {
  readonly width: number;
  readonly height: number;
  readonly rate_hz: number;
  /** Planar YUV 4:2:0, one a frame. */
  readonly frames: readonly Uint8Array[];
}

/** Decodes the span of an episode's video stream. */
export async function decodeClip(stream: Stream, root: string): Promise<Clip> {
  const locator = stream.frames?.locator;
  if (locator?.type !== 'video') throw new Error(`${stream.id} is no video`);
  await using input = await Demuxer.open(join(root, locator.path));
  const video = input.video();
  if (video === undefined) throw new Error(`${locator.path} has no video stream`);
  using decoder = await Decoder.create(video);
  const { num, den } = video.timeBase;
  const frames: Uint8Array[] = [];
  const until_s = locator.to_s ?? Number.POSITIVE_INFINITY;
  for await (const frame of decoder.frames(input.packets(video.index))) {
    if (frame === null) continue;
    const time_s = (Number(frame.pts) * num) / den;
    if (time_s >= locator.from_s - 1e-4 && time_s < until_s - 1e-4) frames.push(planes(frame));
    frame.free();
  }
  const { width, height } = video.codecpar;
  return { width, height, rate_hz: Math.round(stream.declared_rate_hz ?? 30), frames };
}

function planes(frame: Frame): Uint8Array {
  return Uint8Array.from(frame.toBuffer());
}

/**
 * Encodes what a plan says of a clip to a file of its own and points the episode's camera at it, as if the recorder
 * had written it so: by `codec` where the plan does not say how. The rows of the table still say how many frames there
 * should be.
 */
export async function plantVideo(
  episode: Episode,
  stream: Stream,
  clip: Clip,
  plan: FramePlan,
  folder: string,
  name: string,
  codec: 'h264' | 'av1',
): Promise<Episode> {
  const { width, height } = clip;
  const coding = plan.coding ?? { codec };
  const writer = await openVideoWriter(join(folder, name), {
    width_px: width,
    height_px: height,
    rate_hz: plan.rate_hz,
    ...coding,
  });
  const black = new Uint8Array((width * height * 3) / 2).fill(128);
  black.fill(16, 0, width * height);
  for (const source of plan.source) await writer.write(source === blackFrame ? black : clip.frames[source]);
  await writer.close();
  const locator = {
    type: 'video' as const,
    path: name,
    from_s: 0,
    to_s: null,
    expected_frames: stream.sample_count,
  };
  const frames = { locator, declared_size_px: [width, height] as const, declared_codec: coding.codec };
  const streams = episode.streams.map((own) =>
    own === stream ? { ...own, frames: { ...own.frames, ...frames } } : own,
  );
  return { ...episode, streams };
}
