import type { CameraEvidence, Episode } from '#core/episode';

/** Seconds since the episode's start, both ends included. */
export interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/** An episode as it was read and looked at; a descriptor opens nothing. */
export interface Described {
  readonly episode: Episode;
  /** By stream id, as measured; empty where pictures were left out. */
  readonly cameras: ReadonlyMap<string, CameraEvidence>;
}

/** What a descriptor made of an episode or of a part of it. */
export type Description =
  | {
      /** Of length 1, each component rounded to `vectorDecimals` places. */
      readonly vector: readonly number[];
      /** What must be equal for two vectors to mean the same; '' where all may be compared. */
      readonly layout: string;
    }
  | {
      /** Why there is none. */
      readonly reason: string;
    };

/**
 * A fixed-length summary of one aspect of an episode. Pure: the same recording gives the same numbers on every machine,
 * so nothing but + − × ÷ and square roots is used.
 */
export interface Descriptor {
  readonly id: string;
  /** One more each time the numbers change; vectors of two versions are never compared. */
  readonly version: number;
  readonly dims: number;
  /** What a ranking by it means, and what it does not. */
  readonly says: string;
  /** Of what lies in `span`, or of all of it. */
  describe(episode: Described, span: Span | null): Description;
}

/** Decimal places of a component. */
export const vectorDecimals = 4;
