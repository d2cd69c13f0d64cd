import type { JsonObject } from '#kernel';
import type { LayerConfig } from './knob.ts';
import { type Lane, type LaneEpisode, type LaneOutput, mainPart } from './lane.ts';

/** What signals alone say of an episode: one JSON. */
export interface SignalOutput extends Omit<LaneOutput, 'parts'> {
  readonly artifact: JsonObject;
}

/** A lane that is a pure function of the episode's numbers and knobs. */
export function signalLane(
  version: number,
  annotate: (episode: LaneEpisode, config: LayerConfig) => SignalOutput,
): Lane {
  return {
    version,
    requires: [],
    run: async (episode, { config }) => {
      const { artifact: json, ...rest } = annotate(episode, config);
      return { ...rest, parts: [{ name: mainPart, media_type: 'application/json', json }] };
    },
  };
}
