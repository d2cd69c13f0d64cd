/** `a, b, c and 12 more`: the first `shown` of what there is. */
export function enumerate(items: readonly (string | number)[], shown = 8): string {
  const head = items.slice(0, shown).join(', ');
  return items.length > shown ? `${head} and ${items.length - shown} more` : head;
}
