import type { Episode } from '#core/episode';
import { lookCut, type OpenDataset, type WorkUnit } from '#formats';
import type { EpisodeSize } from '#labels/annotation';

/** Maximum number of episodes to read, and bytes and time to spend on them. */
const maxSamples = 4;
const maxEpisode_bytes = 64e6;
const maxTime_ms = 600;

/**
 * Returns the mean size of a dataset's episodes before they are measured: as its metadata declares, else of its first
 * episodes; `null` if neither is known.
 */
export async function estimateEpisodeSize(
  dataset: OpenDataset,
  signal: AbortSignal,
): Promise<EpisodeSize | null> {
  const { declared_frames, declared_rate_hz, declared_cameras } = dataset.facts;
  const episodes = dataset.units.reduce((sum, unit) => sum + unit.expected_episodes, 0);
  if (declared_frames !== null && declared_rate_hz !== null && declared_rate_hz > 0 && episodes > 0) {
    const rows = declared_frames / episodes;
    const cameras = declared_cameras.length;
    return { duration_s: rows / declared_rate_hz, cameras, pictures: rows * cameras, picture_mpx: null };
  }
  return meanSize(await readFirstSizes(dataset, signal));
}

/** Reads the sizes of the first episodes; those that cannot be read are left out. */
async function readFirstSizes(dataset: OpenDataset, signal: AbortSignal): Promise<readonly EpisodeSize[]> {
  const read: EpisodeSize[] = [];
  const until_ms = performance.now() + maxTime_ms;
  for (const unit of dataset.units.slice(0, maxSamples)) {
    const episode_bytes = (unit.look_bytes ?? unit.bytes) / Math.max(1, unit.expected_episodes);
    if (episode_bytes > maxEpisode_bytes) continue;
    try {
      for await (const item of dataset.read(unit, { look: true, hashes: false, copies: false, signal })) {
        if (!('unreadable' in item)) read.push(await wholeSize(dataset, unit, item));
        if (read.length >= maxSamples || performance.now() > until_ms) return read;
      }
    } catch {
      // Measuring reports what is wrong with the unit.
      signal.throwIfAborted();
    }
  }
  return read;
}

/** Returns the size of an episode, extrapolated to the end of its file if only the beginning was read. */
async function wholeSize(dataset: OpenDataset, unit: WorkUnit, episode: Episode): Promise<EpisodeSize> {
  const size = sizeOf(episode);
  const tail = episode.cut?.ends === lookCut ? await dataset.tail?.(unit) : null;
  if (tail == null || size.duration_s <= 0) return size;
  const duration_s = Number(BigInt(tail.end_ns) - BigInt(tail.start_ns)) / 1e9;
  return { ...size, duration_s, pictures: size.pictures * (duration_s / size.duration_s) };
}

function sizeOf({ duration_s, streams }: Episode): EpisodeSize {
  const cameras = streams.filter(({ frames }) => frames !== undefined);
  const sizes = cameras.flatMap(({ frames }) =>
    frames?.declared_size_px == null ? [] : [frames.declared_size_px],
  );
  return {
    duration_s,
    cameras: cameras.length,
    pictures: cameras.reduce((sum, { sample_count }) => sum + sample_count, 0),
    picture_mpx: meanOrNull(sizes.map(([width, height]) => (width * height) / 1e6)),
  };
}

function meanSize(sizes: readonly EpisodeSize[]): EpisodeSize | null {
  if (sizes.length === 0) return null;
  const known = sizes.map(({ picture_mpx }) => picture_mpx).filter((mpx) => mpx !== null);
  return {
    duration_s: mean(sizes.map(({ duration_s }) => duration_s)),
    cameras: mean(sizes.map(({ cameras }) => cameras)),
    pictures: mean(sizes.map(({ pictures }) => pictures)),
    picture_mpx: meanOrNull(known),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const meanOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : mean(values));
