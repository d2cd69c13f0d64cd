import type { JsonObject } from '#core';
import { type LaneOutput, mainPart } from './lane.ts';

/** What a lane says of an episode in one JSON. */
export interface SignalOutput extends Omit<LaneOutput, 'parts'> {
  readonly artifact: JsonObject;
}

export const oneJson = ({ artifact: json, ...rest }: SignalOutput): LaneOutput => ({
  ...rest,
  parts: [{ name: mainPart, media_type: 'application/json', json }],
});
