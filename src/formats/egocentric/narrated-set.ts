import type { Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { type NarratedVideo, readNarrated } from './narrated-video.ts';

export interface NarratedSet {
  readonly tree: SourceTree;
  readonly recognition: Recognition;
  readonly format: string;
  readonly version: string | null;
  /** Videos that the annotations name, there or not. */
  readonly declared: number;
  readonly videos: readonly NarratedVideo[];
  readonly findings: readonly Finding[];
}

/** Videos with narrations as a dataset: a video an episode, and one a work unit. */
export function narratedDataset({ tree, format, videos, ...set }: NarratedSet): Dataset {
  // Annotation files are hashed once for all videos.
  const hasher = createFileHasher(tree);
  return {
    facts: {
      format,
      version: set.version,
      declared_episodes: set.declared,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition: set.recognition,
    findings: set.findings,
    units: videos.map(({ file }, first_index) => ({
      id: file.path,
      expected_episodes: 1,
      first_index,
      bytes: file.bytes,
      look_bytes: 0,
      selector: null,
    })),
    async *read(unit, options) {
      options.signal?.throwIfAborted();
      const context = { tree, format, hasher, scope: hashScope(options) };
      yield await readNarrated(videos[unit.first_index], unit.first_index, context);
      options.onBytes?.(unit.bytes);
    },
    close: async () => {},
  };
}
