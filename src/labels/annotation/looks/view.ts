import type { Picture } from '../pictures/placement.ts';
import { colourDistance, coloursOf } from './colours.ts';
import { type Grey, greyOf } from './grey.ts';
import { type Shift, shiftBetween } from './shift.ts';

/** A frame as far as it is compared with the next one. */
export interface View {
  readonly grey: Grey;
  readonly colours: Float64Array;
}

/** Px of the picture that become one, each way. */
const step = 4;

export const viewOf = (picture: Picture): View => ({
  grey: greyOf(picture, step),
  colours: coloursOf(picture),
});

/** From where colours differ so much that another scene is shown, if what is seen is not found again either. */
const cut = { colours: 0.4, left: 12, agreeing: 0.5 } as const;

/** What happened from one frame of a camera to the next. */
export interface Change {
  readonly shift: Shift;
  /** Another scene. */
  readonly isCut: boolean;
}

/** Null: frames of different sizes. */
export function changeBetween(from: View, to: View): Change | null {
  if (from.grey.width !== to.grey.width || from.grey.height !== to.grey.height) return null;
  const shift = shiftBetween(from.grey, to.grey);
  const isNew = shift.blocks === 0 || (shift.left > cut.left && shift.agreeing < cut.agreeing);
  return { shift, isCut: isNew && colourDistance(from.colours, to.colours) > cut.colours };
}
