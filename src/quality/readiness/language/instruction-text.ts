import { significant } from '#core';

/** What is measured of one instruction, without judging it. */
export type TextFacts = {
  /** The text itself, cut to 160 characters. */
  readonly text: string;
  /** Words after splitting `snake_case` and `camelCase`; scripts without spaces count two characters a word. */
  readonly words: number;
  /** Share of characters that are control characters, replacement characters or typical of a wrong decoding. */
  readonly unreadable: number;
  readonly placeholder: boolean;
};

const stock = new RegExp(
  `^(?:${[
    'test(?:ing|s)?',
    'te?mp',
    'to ?do',
    'tbd',
    'fix ?me',
    'foo(?: ?bar)?',
    'ba[rz]',
    'x{2,}',
    'n ?a',
    'none',
    'null',
    'nan',
    'undefined',
    'unknown',
    'untitled',
    'unnamed',
    'no (?:task|name|text|description|instruction)',
    '(?:a |my |new |the |dummy |single |default |sample |example |some )?(?:task|instruction|prompt|episode|recording|demo|description|text|label)(?: (?:description|name|text|here))?',
    'dummy',
    'default',
    'placeholder',
    'example',
    'sample',
    'hello(?: world)?',
    'abc(?:d|123)?',
    'lorem ipsum.*',
    '(?:describe|enter|write|insert|your) .*(?:task|instruction|description|text).*',
  ].join('|')})(?: ?#?\\d+)?$`,
);
const keyboardRun = /^(?:asdf|qwer|zxcv|hjkl|jkl|sdfg|wasd|aaaa|1234)[a-z0-9;]*$/;
const template = /^(?:<[^>]*>|\{[^}]*\}|\[[^\]]*\])$/;
const latinWord = /^[a-z]+$/;
// Control characters, the replacement character, and what UTF-8 read as Latin-1 leaves behind.
const badCharacter =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFD\uE000-\uF8FF]|[\u00C2\u00C3\u00E2][\u0080-\u00BF\u20AC\u2122]/g;
const denseScript =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}/gu;

/** A dataset has few texts and many episodes; what was found of a text is kept, within bounds. */
const known = new Map<string, TextFacts>();
const mostKnown = 512;

export function textFacts(raw: string): TextFacts {
  let facts = known.get(raw);
  if (facts === undefined) {
    if (known.size === mostKnown) known.clear();
    facts = factsOf(raw);
    known.set(raw, facts);
  }
  return facts;
}

function factsOf(raw: string): TextFacts {
  const text = raw.trim();
  const bad = (text.match(badCharacter) ?? []).join('').length;
  const words = wordsOf(text);
  return {
    placeholder: isPlaceholder(text, words),
    text: [...text].slice(0, 160).join(''),
    unreadable: text === '' ? 0 : significant(bad / text.length),
    words: countWords(text, words),
  };
}

/** Lower-case words; `pick_place`, `PickPlace` and `pick-place` are two. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function countWords(text: string, words: readonly string[]): number {
  const dense = text.match(denseScript)?.length ?? 0;
  return dense > 0 ? Math.max(words.length, Math.ceil(dense / 2)) : words.length;
}

function isPlaceholder(text: string, words: readonly string[]): boolean {
  if (words.length === 0 || template.test(text)) return true;
  const plain = words.join(' ');
  if (stock.test(plain) || keyboardRun.test(words.join(''))) return true;
  if (/^(.)\1*$/u.test(words.join('')) || words.every((word) => /^\d+$/.test(word))) return true;
  return words.every((word) => latinWord.test(word) && word.length > 3 && !/[aeiouy]/.test(word));
}
