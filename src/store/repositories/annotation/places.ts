/** Places of units or episodes: from one to another, or some of them. */
export type Places = { readonly from: number; readonly to: number } | { readonly places: readonly number[] };

/**
 * `placed`: a condition on places whose one or two parameters are `$n` and on. Two forms, for in one with an OR the
 * database would look through all of the work.
 */
export function placedIn(
  places: Places,
  n: number,
): { readonly placed: string; readonly values: readonly unknown[] } {
  if ('places' in places) return { placed: `place = ANY($${n})`, values: [places.places] };
  return { placed: `place BETWEEN $${n} AND $${n + 1}`, values: [places.from, places.to] };
}
