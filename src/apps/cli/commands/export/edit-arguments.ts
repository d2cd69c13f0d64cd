/** Options that change a set on the way, by the id of the edit. */
export interface EditArguments {
  readonly drop?: readonly string[];
  readonly convert?: readonly string[];
  readonly cut?: string;
  readonly shift?: readonly string[];
  readonly trim?: string;
  readonly video?: string;
  readonly size?: string;
  readonly rename?: readonly string[];
  readonly split?: readonly string[];
}

/** What was asked of each edit, by its id. */
export function editsOf({ drop, convert, cut, shift, trim, video, size, rename, split }: EditArguments) {
  const asked = { drop, convert, cut, shift, trim, video, size, rename, split };
  return Object.fromEntries(
    Object.entries(asked).flatMap(([id, texts]) => (texts === undefined ? [] : [[id, [texts].flat()]])),
  );
}
