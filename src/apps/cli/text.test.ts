import { styleText } from 'node:util';
import { expect, it } from 'vitest';
import { printable, printableName } from './text.ts';

it('leaves nothing that steers a terminal', () => {
  const hostile = 'a\u001b[2Jb\u0007c\u009bd\re\u202ef\nädä漢';
  expect(printable(hostile)).toBe('a\\u001b[2Jb\\u0007c\\u009bd\\u000de\\u202ef\nädä漢');
  expect(printableName('two\nlines')).toBe('two\\nlines');
});

it('leaves colours where there are any, and nothing longer', () => {
  const red = styleText('red', 'x', { validateStream: false });
  expect(printable(red, true)).toBe(red);
  expect(printable(red)).not.toContain('\u001b');
  expect(printable('\u001b[1000D', true)).not.toContain('\u001b');
});

it('leaves JSON the same', () => {
  const value = { name: 'a\u0085\u007f\u202e\n\u001b' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});
