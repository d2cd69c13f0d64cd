import { expect, test } from 'vitest';
import { escapeHtml } from './escape-html.ts';

test('escapes the characters that end HTML text or a quoted attribute', () => {
  expect(escapeHtml(`<a title="it's">R&D</a>`)).toBe('&lt;a title=&quot;it&#39;s&quot;&gt;R&amp;D&lt;/a&gt;');
  expect(escapeHtml('é — 漢')).toBe('é — 漢');
});
