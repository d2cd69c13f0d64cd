/** Control characters except the line feed: C0, DEL, C1 and bidirectional overrides. */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** Rest of an ANSI colour sequence as `styleText` writes it. */
const colour = /^\[\d{1,3}m/;

/**
 * Escapes control characters as `\u001b` and the like, so that names from recordings cannot control the terminal. Keeps
 * line feeds and, with `colours`, ANSI colours.
 */
export function printable(text: string, colours = false): string {
  return text.replace(controls, (character, at: number) => {
    if (character === '\n') return character;
    if (colours && character === '\u001b' && colour.test(text.slice(at + 1, at + 5))) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Escapes control characters and line feeds of a name that is printed within a line. */
export function printableName(name: string): string {
  return printable(name).replaceAll('\n', '\\n');
}
