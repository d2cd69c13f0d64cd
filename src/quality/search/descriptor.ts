import type { CameraEvidence, Episode } from '#core/episode';

/** Time span in seconds since the episode's start, both ends included. */
export interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/** Input of a descriptor: an episode with its camera measurements. Descriptors do not open files. */
export interface DescriptorInput {
  readonly episode: Episode;
  /** Measurements by stream id; empty if pictures were skipped. */
  readonly cameras: ReadonlyMap<string, CameraEvidence>;
}

/** Vector of an episode or of a span, or the reason why there is none. */
export type Description =
  | {
      /** Unit vector; each component is rounded to `vectorDecimals` places. */
      readonly vector: readonly number[];
      /** Only vectors with equal layouts can be compared; '' if all can. */
      readonly layout: string;
    }
  | {
      /** Reason why there is no vector. */
      readonly reason: string;
    };

/**
 * Fixed-length summary of one aspect of an episode. Pure, and identical on every machine: implementations use only
 * + − × ÷ and square roots.
 */
export interface Descriptor {
  readonly id: string;
  /**
   * Version of the computation; increase it when the numbers change. Vectors of different versions are never
   * compared.
   */
  readonly version: number;
  readonly dims: number;
  /** Explanation for users: what a ranking by it means, and its limits. */
  readonly says: string;
  /** Describes the part of the episode within `span`; null: the whole episode. */
  describe(episode: DescriptorInput, span: Span | null): Description;
}

/** Decimal places of a vector component. */
const vectorDecimals = 4;

const roundingFactor = 10 ** vectorDecimals;

/** Components of a vector with their share of its squared length. */
interface Block {
  readonly values: Float64Array;
  readonly weight: number;
}

/**
 * Concatenates blocks, each scaled to its share of the total weight, into a unit vector with rounded components;
 * `null` if all are zero.
 */
export function unitVector(blocks: readonly Block[]): number[] | null {
  const lengths = blocks.map(({ values }) => computeLength(values));
  const total = blocks.reduce((sum, { weight }, i) => sum + (lengths[i] > 0 ? weight : 0), 0);
  if (!(total > 0)) return null;
  return blocks.flatMap(({ values, weight }, i) => {
    const scale = lengths[i] > 0 ? Math.sqrt(weight / total) / lengths[i] : 0;
    // `+ 0` turns negative zero into zero.
    return Array.from(values, (value) => Math.round(value * scale * roundingFactor) / roundingFactor + 0);
  });
}

function computeLength(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}
