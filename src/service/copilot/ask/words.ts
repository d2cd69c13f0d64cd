/** `1 episode`, `2 episodes`. */
export const count = (many: number, one: string, plural = `${one}s`): string =>
  `${many} ${many === 1 ? one : plural}`;

/** A capital at the beginning, a stop at the end. */
export function sentenceOf(text: string): string {
  const whole = text.trim();
  const upper = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

/** `needs_work`: `needs work`. */
export const plain = (id: string): string => id.replaceAll('_', ' ');
