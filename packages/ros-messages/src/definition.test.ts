import { parse } from '@foxglove/rosmsg';
import { describe, expect, it } from 'vitest';
import { parseRosMsg } from './definition.ts';
import { typeAt } from './type-tree.ts';

const separator = `\n${'='.repeat(80)}\n`;

describe('reading .msg definitions', () => {
  it('passes over comments, blank lines, constants and default values', () => {
    const text =
      '# a comment\n\nint32 X=5\nstring S="a # b"\nfloat64 value 1.5 # default\nuint8[<=4] few\nstring<=10 name "x"';
    const root = parseRosMsg(text, 'pkg/msg/T', 'ros2');
    expect(root.fields.map((field) => field.name)).toEqual(['value', 'few', 'name']);
    const peer = parse(text, { ros2: true })[0].definitions.filter((field) => field.isConstant !== true);
    expect(root.fields.map((field) => field.name)).toEqual(peer.map((field) => field.name));
  });

  it('reads definitions with Windows line ends', () => {
    const root = parseRosMsg('float64 x\r\nHeader header\r\n', 'pkg/T', 'ros1');
    expect(typeAt(root, 'header.stamp')).toEqual({ kind: 'time' });
  });

  it('finds types of the same package, by full name, and with or without /msg/', () => {
    const text = `Inner a\nother/msg/Thing b${separator}MSG: pkg/Inner\nint8 x${separator}MSG: other/Thing\nint8 y`;
    const root = parseRosMsg(text, 'pkg/msg/T', 'ros2');
    expect(typeAt(root, 'a.x')).toEqual({ kind: 'number', type: 'int8' });
    expect(typeAt(root, 'b.y')).toEqual({ kind: 'number', type: 'int8' });
  });

  it('knows std_msgs/Header even where the definition leaves it out', () => {
    expect(typeAt(parseRosMsg('Header header', 'p/T', 'ros1'), 'header.seq')).toEqual({
      kind: 'number',
      type: 'uint32',
    });
    expect(typeAt(parseRosMsg('std_msgs/Header header', 'p/T', 'ros2'), 'header.seq')).toBeNull();
  });

  it('takes byte for signed in ROS 1 and unsigned in ROS 2', () => {
    expect(typeAt(parseRosMsg('byte b', 'p/T', 'ros1'), 'b')).toEqual({ kind: 'number', type: 'int8' });
    expect(typeAt(parseRosMsg('byte b', 'p/T', 'ros2'), 'b')).toEqual({ kind: 'number', type: 'uint8' });
  });

  it.each([
    ['a type nobody defines', 'Unknown u', 'the definition of this type is missing'],
    ['a line that invalid field', 'float64', 'invalid field'],
    ['a type that holds itself', 'pkg/T inner', 'nested deeper'],
    ['a service definition', 'int64 a\n---\nint64 b', 'service or action'],
  ])('refuses %s', (_, text, words) => {
    expect(() => parseRosMsg(text, 'pkg/T', 'ros2')).toThrow(words);
  });

  it('refuses a definition of a million fields in bounded time', () => {
    expect(() => parseRosMsg('int8 a\n'.repeat(100_000), 'pkg/T', 'ros2')).toThrow('more than');
  });
});
