/** A table that scrolls by itself where the screen is narrower, with the keyboard too. `label`: what it shows; HTML. */
export function wideTable(label: string, rows: { readonly head: string; readonly body: string }): string {
  return `<div class="wide" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${rows.head}</tr></thead><tbody>${rows.body}</tbody></table></div>`;
}
