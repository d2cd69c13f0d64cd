import { significant } from '#core';

/** Measured facts about one instruction, without scores. */
export type TextFacts = {
  /** The text, cut to 160 characters. */
  readonly text: string;
  /**
   * Number of words after splitting `snake_case` and `camelCase`; scripts without spaces count two characters
   * per word.
   */
  readonly words: number;
  /**
   * Fraction of characters that are control characters, replacement characters or typical of a wrong
   * decoding.
   */
  readonly unreadable: number;
  readonly placeholder: boolean;
};

const placeholderPattern = new RegExp(
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
const keyboardRunPattern = /^(?:asdf|qwer|zxcv|hjkl|jkl|sdfg|wasd|aaaa|1234)[a-z0-9;]*$/;
const templatePattern = /^(?:<[^>]*>|\{[^}]*\}|\[[^\]]*\])$/;
const latinWordPattern = /^[a-z]+$/;
// Control characters, the replacement character, and typical results of UTF-8 decoded as Latin-1.
const unreadablePattern =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFD\uE000-\uF8FF]|[\u00C2\u00C3\u00E2][\u0080-\u00BF\u20AC\u2122]/g;
const denseScriptPattern =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}/gu;

/** Bounded cache of facts by text: a dataset has few texts and many episodes. */
const factsByText = new Map<string, TextFacts>();
const maxCachedTexts = 512;

/** Returns the number of words and the unreadable fraction of an instruction, and whether it is a placeholder; cached by text. */
export function computeTextFacts(raw: string): TextFacts {
  let facts = factsByText.get(raw);
  if (facts === undefined) {
    if (factsByText.size === maxCachedTexts) factsByText.clear();
    facts = measureText(raw);
    factsByText.set(raw, facts);
  }
  return facts;
}

function measureText(raw: string): TextFacts {
  const text = raw.trim();
  const unreadableCount = (text.match(unreadablePattern) ?? []).join('').length;
  const words = splitWords(text);
  return {
    placeholder: isPlaceholder(text, words),
    text: [...text].slice(0, 160).join(''),
    unreadable: text === '' ? 0 : significant(unreadableCount / text.length),
    words: countWords(text, words),
  };
}

/** Splits a text into lower-case words; `pick_place`, `PickPlace` and `pick-place` are two words. */
export function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function countWords(text: string, words: readonly string[]): number {
  const dense = text.match(denseScriptPattern)?.length ?? 0;
  return dense > 0 ? Math.max(words.length, Math.ceil(dense / 2)) : words.length;
}

function isPlaceholder(text: string, words: readonly string[]): boolean {
  if (words.length === 0 || templatePattern.test(text)) return true;
  const plain = words.join(' ');
  if (placeholderPattern.test(plain) || keyboardRunPattern.test(words.join(''))) return true;
  if (/^(.)\1*$/u.test(words.join('')) || words.every((word) => /^\d+$/.test(word))) return true;
  return words.every((word) => latinWordPattern.test(word) && word.length > 3 && !/[aeiouy]/.test(word));
}
