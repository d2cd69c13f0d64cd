/** Text from the service, with backticks rendered as code. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
