const longest_chars = 24_000;

/**
 * A value as a model is shown it: marked as data, so that what recordings and people wrote is not taken for instructions.
 * No sign in it can end the mark.
 */
export function asData(source: string, value: unknown): string {
  const text = JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  const rest = text.length - longest_chars;
  const shown =
    rest > 0 ? `${text.slice(0, longest_chars)} … and ${rest} characters more: ask for less` : text;
  return `<data source="${source}">${shown}</data>`;
}
