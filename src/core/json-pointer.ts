/** Returns a key as a part of a JSON pointer (RFC 6901), with `~` and `/` escaped. */
export const pointerPart = (key: PropertyKey): string =>
  String(key).replaceAll('~', '~0').replaceAll('/', '~1');
