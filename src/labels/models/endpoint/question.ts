import type { z } from 'zod';

/** A picture as it is sent. */
export interface ShownPicture {
  readonly jpeg: Uint8Array;
  readonly width_px: number;
  readonly height_px: number;
}

/** What a model is asked, and the form that its answer must have. */
export interface VisionQuestion<Answer, Picture = ShownPicture> {
  readonly instructions: string;
  /** Words and pictures in their order. */
  readonly shown: readonly (string | Picture)[];
  readonly answer: z.ZodType<Answer>;
  /** That it may write. */
  readonly most_tokens: number;
}

/** Tokens of one call: as the server counts them, or else as they are counted here. */
export interface VisionUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}
