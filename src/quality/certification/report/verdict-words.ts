import type { CertificationVerdict } from '#core/api';

/** What people read, and the class that colours it. */
const words: Readonly<Record<CertificationVerdict, readonly [text: string, style: string, path: string]>> = {
  certified: ['certified', 'good', 'M3 7.5 6 10.5 11 4'],
  review_required: ['review required', 'open', 'M7 3v5M7 10.6v.4'],
  not_ready: ['not ready', 'bad', 'M3.5 3.5l7 7M10.5 3.5l-7 7'],
  not_assessable: ['not assessable', 'none', 'M3 7h8'],
};

export const verdictText = (verdict: CertificationVerdict): string => words[verdict][0];
export const verdictStyle = (verdict: CertificationVerdict): string => words[verdict][1];

/** A mark that needs no colour, and the words. */
export function verdictBadge(verdict: CertificationVerdict): string {
  const [text, style, path] = words[verdict];
  return `<span class="badge is-${style}"><svg class="glyph" viewBox="0 0 14 14" aria-hidden="true"><path d="${path}"/></svg>${text}</span>`;
}
