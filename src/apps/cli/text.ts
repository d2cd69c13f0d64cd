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

/** Formats a size in decimal units: `12 kB`, `3.4 MB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Formats a duration in s below 90 s, in min below 90 min, else in h. */
export function secondsInWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Formats a number with its noun: `1 episode`, `2 episodes`, `12,345 episodes`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** Formats an integer with commas between thousands, independent of the locale. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Replaces underscores by blanks: `frames_repeated` → `frames repeated`. */
export function words(code: string): string {
  return code.replaceAll('_', ' ');
}

/**
 * Breaks a text between words into lines of at most `width` characters, each prefixed with `indent`, which does not
 * count. Empty for an empty text.
 */
export function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, indent + line];
}

/** Cuts a line to `width` characters; a cut line ends with `…`. */
export function cutLine(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** Formats rows of cells as lines with aligned columns. All rows must have as many cells as the first. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
