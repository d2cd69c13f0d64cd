/**
 * Fills `{name}` and `{name:03d}` in a path template, the forms of Python's `str.format` that LeRobot uses; other text is
 * unchanged. Returns `null` if the template uses a name that `values` lacks.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | number>>,
): string | null {
  let known = true;
  const filled = template.replace(
    /\{(\w+)(?::0?(\d*)d)?\}/g,
    (_whole, name: string, width: string | undefined) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) known = false;
      return String(value ?? '').padStart(width === undefined || width === '' ? 0 : Number(width), '0');
    },
  );
  return known ? filled : null;
}
