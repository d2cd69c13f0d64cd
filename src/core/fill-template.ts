/**
 * Fills a path template like Python's `str.format`, for the forms LeRobot uses: `{name}` and `{name:03d}`. Returns `null` if
 * the template uses a name that `values` lacks.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | number>>,
): string | null {
  let known = true;
  const filled = template.replace(
    /\{(\w+)(?::0?(\d*)d)?\}/g,
    (_whole, name: string, width: string | undefined) => {
      const value = values[name];
      if (value === undefined) known = false;
      return String(value ?? '').padStart(width === undefined || width === '' ? 0 : Number(width), '0');
    },
  );
  return known ? filled : null;
}
