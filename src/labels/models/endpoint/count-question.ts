import { countTokens } from '#core';
import type { ShownPicture, VisionQuestion } from './question.ts';

/** A side of the square that models of pictures make one token of: 28 px of Qwen2.5-VL, 32 px of Qwen3-VL. */
const patch_px = 28;

/** Tokens of a picture where nobody has counted them. */
const pictureTokens = ({ width_px, height_px }: Pick<ShownPicture, 'width_px' | 'height_px'>): number =>
  Math.ceil(width_px / patch_px) * Math.ceil(height_px / patch_px);

/** Tokens of a question where the server has not counted them. */
export function questionTokens({
  instructions,
  shown,
}: Pick<VisionQuestion<unknown>, 'instructions' | 'shown'>): number {
  return shown.reduce(
    (sum, part) => sum + (typeof part === 'string' ? countTokens(part) : pictureTokens(part)),
    countTokens(instructions),
  );
}
