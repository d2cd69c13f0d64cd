import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AssayError } from '#core';
import { childrenNamed, childText, parseXml } from './xml.ts';

const parse = (text: string) => parseXml(text, 'a.xml');

describe('XML', () => {
  it('gives elements, attributes and texts, without comments and instructions', () => {
    const root = parse(
      '<?xml version="1.0"?><!DOCTYPE a><a x="1 &lt; 2" y=\'"\'><!-- <b/> --><b> one </b><b/>&#65;&#x42;<![CDATA[<c>]]></a>\n',
    );
    expect(root.name).toBe('a');
    expect(root.attributes).toEqual({ x: '1 < 2', y: '"' });
    expect(childrenNamed(root, 'b')).toHaveLength(2);
    expect(childText(root, 'b')).toBe('one');
    expect(childText(root, 'c')).toBeNull();
    expect(root.text).toBe('AB<c>');
  });

  it.each([
    ['an element that is not closed', '<a><b></a>'],
    ['an end without a start', '</a>'],
    ['two roots', '<a/><b/>'],
    ['nothing', '  '],
    ['an unfinished tag', '<a x="1'],
    ['an unfinished comment', '<a><!-- </a>'],
    ['an attribute that is repeated', '<a x="1" x="2"/>'],
    ['an entity that is not declared', '<a>&b;</a>'],
    ['an attribute without a value', '<a x></a>'],
    ['declared entities', '<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>'],
    ['very deep elements', '<a>'.repeat(1000)],
  ])('refuses %s', (_, text) => {
    expect(() => parse(text)).toThrow(AssayError);
  });

  it('is read or refused, never anything else', () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<a/>',
      '<',
      '>',
      '"',
      "'",
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&amp;',
      '&#x110000;',
      ' x="1"',
      '<?',
      '?>',
      '<!',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 20 }), (parts) => {
        try {
          parse(parts.join(''));
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AssayError);
        }
      }),
    );
  });

  it('takes time linear in the length', () => {
    const started = performance.now();
    for (const hostile of ['<', '<a ', '<a x=', '&', '<!--', '<a x="'])
      expect(() => parse(`<r>${hostile.repeat(200_000)}`)).toThrow(AssayError);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
