import type { Episode, Event, Finding, PictureLabel, SourceRef } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import { splitOfPath } from '../split-of.ts';

/** One picture to be read as an episode. */
export interface PictureEntry {
  readonly path: string;
  readonly bytes: number;
  /** null: the set carries no labels. */
  readonly labels: readonly PictureLabel[] | null;
  readonly size_px: readonly [width: number, height: number] | null;
  /** Sentences about the picture, with where they were read. */
  readonly captions: readonly { readonly text: string; readonly source: string }[];
  /** Files the labels and captions came from. */
  readonly annotations: readonly SourceRef[];
  readonly findings?: readonly Finding[];
}

export interface PictureSource {
  readonly format: string;
  readonly index: number;
  readonly sha256: string | null;
  readonly findings: readonly Finding[];
}

/** A lone picture: one camera, no clock, no length in time. */
export function pictureEpisode(entry: PictureEntry, source: PictureSource): Episode {
  const { path, bytes } = entry;
  const split = splitOfPath(path);
  const events = entry.captions.map(({ text, source }): Event => ({ time_s: 0, label: text, source }));
  return {
    id: path,
    index: source.index,
    locator: { format: source.format, path },
    sources: [{ path, bytes, sha256: source.sha256, role: 'image' }, ...entry.annotations],
    start_ns: null,
    duration_s: 0,
    streams: [
      {
        id: 'picture',
        role: 'camera',
        modality: 'image',
        // Pictures of one set come in many sizes: the size of this one is in its evidence, not in the schema.
        shape: [],
        names: null,
        unit: { unit: 'px', evidence: 'known_format', reason: 'a picture file' },
        declared_rate_hz: null,
        sample_count: 1,
        clocks: [],
        clock: null,
        frames: {
          locator: { type: 'image-files', paths: [path] },
          declared_size_px: entry.size_px,
          declared_codec: null,
        },
      },
    ],
    events,
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: entry.labels,
    ...(split === null ? {} : { split }),
    findings: source.findings,
  };
}
