/** Control characters but the line feed: C0, DEL and C1, and what turns the direction of text. */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** A colour, as `styleText` writes it. */
const colour = /^\[\d{1,3}m/;

/**
 * What recordings call themselves goes to terminals, and must not steer them: every control character becomes `\u001b`
 * and the like, which is also what JSON writes for it. Line feeds stay; with `colours`, so do colours.
 */
export function printable(text: string, colours = false): string {
  return text.replace(controls, (character, at: number) => {
    if (character === '\n') return character;
    if (colours && character === '\u001b' && colour.test(text.slice(at + 1, at + 5))) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The same for a name that has a line to itself. */
export function printableName(name: string): string {
  return printable(name).replaceAll('\n', '\\n');
}
