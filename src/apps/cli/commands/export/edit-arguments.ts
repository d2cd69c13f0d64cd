/** Options that edit a dataset during export, by the id of the edit. */
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

/** Returns the edits that were requested: edit id → list of its option values. */
export function editsOf({ drop, convert, cut, shift, trim, video, size, rename, split }: EditArguments) {
  const requestedEdits = { drop, convert, cut, shift, trim, video, size, rename, split };
  return Object.fromEntries(
    Object.entries(requestedEdits).flatMap(([id, texts]) =>
      texts === undefined ? [] : [[id, [texts].flat()]],
    ),
  );
}
