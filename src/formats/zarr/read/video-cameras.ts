import type { Stream } from '#core/episode';
import { FileWindow, type SourceTree } from '#io/sources';
import { containerOf, headBytes } from '../../videos/containers.ts';

const video = /^videos\/(\d{1,9})\/([^/]+)\.(mp4|mkv|mov|avi|webm)$/i;

/** Video files by episode, as the recorder of diffusion_policy names them: `videos/<episode>/<camera>.mp4`. */
export function videosByEpisode(tree: SourceTree): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { path } of tree.below('videos').files) {
    const parts = video.exec(`videos/${path}`);
    if (parts === null) continue;
    const episode = Number(parts[1]);
    const own = found.get(episode);
    if (own === undefined) found.set(episode, [`videos/${path}`]);
    else own.push(`videos/${path}`);
  }
  return found;
}

/** A camera of its own rate, its times those of the container; the recorder starts it with the episode. */
export async function videoCamera(tree: SourceTree, path: string): Promise<Stream> {
  const shown = await frameTimes(tree, path);
  const from_s = shown?.[0] ?? 0;
  const time_s = shown?.map((time) => time - from_s) ?? null;
  const name = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
  const locator = { type: 'video', path, from_s, to_s: null, expected_frames: null } as const;
  return {
    id: `videos/${name}`,
    role: 'camera',
    modality: 'video',
    shape: [],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'not a quantity' },
    declared_rate_hz: null,
    sample_count: time_s?.length ?? 0,
    clocks: time_s === null ? [] : [{ name: 'pts', provenance: 'synthesised', time_s }],
    clock: time_s === null ? null : { index: 0, reason: 'the times that the video shows its frames at' },
    frames: { locator, declared_size_px: null, declared_codec: null },
  };
}

/** Null where the container does not tell; decoding will say why. */
async function frameTimes(tree: SourceTree, path: string): Promise<Float64Array | null> {
  try {
    const container = containerOf(await tree.head(path, headBytes));
    if (container === null) return null;
    await using file = await tree.openFile(path);
    return (await container.times(new FileWindow(file, tree.entry(path)?.bytes ?? 0))).time_s;
  } catch {
    return null;
  }
}
