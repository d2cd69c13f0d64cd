import { defineRegistry } from '#kernel';
import type { LaneRow } from './lane.ts';
import { metadata } from './metadata.ts';
import { segments } from './segments.ts';

/** The work behind each layer that runs on signals alone, in the order of the layers. */
export const lanes = defineRegistry<LaneRow>([metadata, segments]);
