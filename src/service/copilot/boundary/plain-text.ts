const escaped = /(?:%[0-9a-f]{2})+/gi;
const invisible = /[\p{Cc}\p{Cf}\p{Mn}\u115f\u1160\u3164\uffa0]/gu;
const mostLayers = 64;

/**
 * A text as whoever opens a path or an address would read it: percent signs, JSON escapes and numbered entities decoded as
 * often as they are nested, compatible letters folded, what cannot be seen taken out.
 */
export function plainText(text: string): string {
  let now = text;
  for (let layer = 0; layer < mostLayers; layer++) {
    const next = decoded(now);
    if (next === now) break;
    now = next;
  }
  return now.normalize('NFKC').replace(invisible, (found) => (/[\t\n\r]/.test(found) ? found : ''));
}

function decoded(text: string): string {
  if (!/[%\\&]/.test(text)) return text;
  return text
    .replace(escaped, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(/\\u([0-9a-f]{4})/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/\\u\{0*([0-9a-f]{1,6})\}/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/\\x([0-9a-f]{2})/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/&#x0*([0-9a-f]{1,6});/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/&#0*([0-9]{1,7});/g, (all, code: string) => character(Number(code), all))
    .replace(/&period;/gi, '.')
    .replace(/\\([nrt/])/g, (_, sign: string) => (sign === '/' ? '/' : '\n'));
}

const character = (code: number, otherwise: string): string =>
  code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? otherwise : String.fromCodePoint(code);
