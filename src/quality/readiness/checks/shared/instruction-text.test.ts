import { describe, expect, it } from 'vitest';
import { computeTextFacts } from './instruction-text.ts';

describe('an instruction', () => {
  it.each([
    'test',
    'Test 1',
    'TODO',
    'to-do',
    'task',
    'task_1',
    'Task #12',
    'my task',
    'dummy task',
    'Single task description',
    'asdf',
    'asdfgh jkl',
    'qwerty',
    'xxx',
    'aaaa',
    '...',
    '1234',
    'n/a',
    'None',
    'null',
    'untitled',
    '<instruction>',
    '{task}',
    'Describe the task here',
    'lorem ipsum dolor',
    'sdfkj wrtpl',
  ])('is a placeholder when it says %j', (text) => {
    expect(computeTextFacts(text).placeholder).toBe(true);
  });

  it.each([
    'Pick up the yellow bottle on the table.',
    'pick_up_the_cube',
    'PickPlaceCan',
    'test the soil with the probe',
    'open drawer 1',
    'draw an x on the board',
    'demo of how to fold a towel',
    'put the sample into the centrifuge',
    'unknown object: put it into the bin',
    '把红色方块放进盒子里',
    'Pose le cube rouge à côté du bol',
    'TURN LEFT',
  ])('is not one when it says %j', (text) => {
    expect(computeTextFacts(text).placeholder).toBe(false);
    expect(computeTextFacts(text).unreadable).toBe(0);
  });

  it.each([
    ['pick', 1],
    ['pick_up_cube', 3],
    ['PickPlaceCan', 3],
    ['put the cube into the box', 6],
    ['把红色方块放进盒子里', 5],
    ['', 0],
  ])('%j has %d words', (text, words) => {
    expect(computeTextFacts(text).words).toBe(words);
  });

  it.each([
    'pick up the caf\u00c3\u00a9 cup',
    'pick \u0001\u0002 up',
    'pick up \ufffd\ufffd\ufffd',
    'it\u00e2\u20ac\u2122s',
  ])('is partly unreadable in %j', (text) => {
    expect(computeTextFacts(text).unreadable).toBeGreaterThan(0);
  });

  it('is cut to 160 characters without cutting one in half', () => {
    const { text } = computeTextFacts('😀'.repeat(200));
    expect([...text]).toHaveLength(160);
    expect(text.isWellFormed()).toBe(true);
  });
});
