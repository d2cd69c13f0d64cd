import { clamp } from '#core';

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Colours distinguishable with any colour vision (Okabe and Ito, 2008), plus lighter ones. */
const palette: readonly Rgb[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 158, 115],
  [240, 228, 66],
  [0, 114, 178],
  [213, 94, 0],
  [204, 121, 167],
  [153, 221, 255],
  [170, 170, 0],
  [238, 136, 102],
  [187, 204, 51],
  [255, 170, 187],
];

/** Returns the palette colour of a number, modulo the size of the palette; neighbouring numbers differ. */
export const colourByIndex = (place: number): Rgb => palette[Math.abs(Math.trunc(place)) % palette.length];

/** Returns the palette colour of a name, the same in every picture; several names may share a colour. */
export function colourByName(name: string): Rgb {
  let hash = 7;
  for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return colourByIndex(hash);
}

/** Formats a colour for CSS. */
export const toCss = ([red, green, blue]: Rgb): string => `rgb(${red},${green},${blue})`;

/** Returns black or white, whichever contrasts more with the colour. */
export const contrastingInk = ([red, green, blue]: Rgb): string =>
  0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#000' : '#fff';

/** Viridis (Smith and van der Walt, 2015) as polynomials fitted by Matt Zucker: coefficients of red, green, blue. */
const viridisCoefficients: readonly Rgb[] = [
  [0.2777273272234177, 0.005407344544966578, 0.3340998053353061],
  [0.1050930431085774, 1.404613529898575, 1.384590162594685],
  [-0.3308618287255563, 0.214847559468213, 0.09509516302823659],
  [-4.634230498983486, -5.799100973351585, -19.33244095627987],
  [6.228269936347081, 14.17993336680509, 56.69055260068105],
  [4.776384997670288, -13.74514537774601, -65.35303263337234],
  [-5.435455855934631, 4.645852612178535, 26.3124352495832],
];

/** Returns the viridis colour for a value, clamped to 0 to 1. */
export function viridis(share: number): Rgb {
  const at = clamp(share, 0, 1);
  const channel = (place: 0 | 1 | 2): number =>
    Math.round(
      255 *
        clamp(
          viridisCoefficients.reduceRight((sum, terms) => sum * at + terms[place], 0),
          0,
          1,
        ),
    );
  return [channel(0), channel(1), channel(2)];
}

/** Returns the saturated hue of the colour wheel for an angle in radians: 0 is red, 2π/3 green, 4π/3 blue. */
export function directionColour(angle_rad: number): Rgb {
  const sixth = ((((angle_rad / (2 * Math.PI)) % 1) + 1) % 1) * 6;
  const channel = (shift: number): number => {
    const k = (shift + sixth) % 6;
    return Math.round(255 * (1 - clamp(Math.min(k, 4 - k), 0, 1)));
  };
  return [channel(5), channel(3), channel(1)];
}
