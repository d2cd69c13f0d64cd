/** Joins the first `maxItems` items and counts the rest: `a, b, c and 12 more`. */
export function listText(items: readonly (string | number)[], maxItems = 8): string {
  const head = items.slice(0, maxItems).join(', ');
  return items.length > maxItems ? `${head} and ${items.length - maxItems} more` : head;
}
