/** `data:` with the comma that its data begin after. */
const strict = /(?<![\p{L}\p{N}_])data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[^,;\s]*)*,/iu;
/** As browsers read it, which overlook blanks; only with a type that data really have. */
const loose =
  /(?<![\p{L}\p{N}_])data:(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+*-]+(?:;[\w.=+"-]*)*[,;]/iu;

/** Whether a text holds a `data:` URI. The text is plain (`plainText`). */
export function holdsDataUri(plain: string): boolean {
  return strict.test(plain) || loose.test(plain.replace(/\s+/g, ''));
}
