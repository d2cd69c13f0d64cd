import { discover } from '#formats';
import type { LaneContext, LaneEpisode, LayerConfig } from '#labels/annotation';
import { createEpisodeRecord, createFeatures, deriveKind } from '#quality/readiness';

/** Returns the lane inputs of the recordings in a folder, at most `most` episodes of each dataset. */
export async function laneEpisodes(path: string, most = Number.POSITIVE_INFINITY): Promise<LaneEpisode[]> {
  const { datasets } = await discover(path);
  const found: LaneEpisode[] = [];
  for (const { dataset } of datasets) {
    let count = 0;
    for (const unit of dataset.units) {
      if (count >= most) break;
      for await (const episode of dataset.read(unit, {})) {
        if ('unreadable' in episode || count++ >= most) continue;
        const { kind, evidence } = deriveKind(episode);
        const subject = { episode, kind, cameras: new Map(), features: createFeatures(episode) };
        found.push({ facts: createEpisodeRecord(subject, evidence), streams: episode.streams });
      }
    }
    await dataset.close();
  }
  return found;
}

/** For lanes that read numbers, or can do without frames. */
export const signalContext = (config: LayerConfig): LaneContext => ({
  config,
  signal: new AbortController().signal,
  frames: async function* () {},
  distances: () => {
    throw new Error('no distances here');
  },
  model: async () => null,
  vision: () => null,
  useAlgorithm: () => {},
  output: async () => null,
  progress: () => {},
});
