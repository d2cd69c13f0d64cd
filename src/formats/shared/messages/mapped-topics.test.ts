import { parseRosMsg } from '@assay/ros-messages';
import { describe, expect, it } from 'vitest';
import { mapByFile } from './mapped-topics.ts';

const separator = `\n${'='.repeat(80)}\n`;
const root = parseRosMsg(
  `float64 speed\nfloat64[] data\nPlan[] plans${separator}MSG: pkg/Plan\nPoint[] points${separator}MSG: pkg/Point\nfloat64 time\nfloat64[] q\nfloat64[] v`,
  'pkg/Plans',
  'ros1',
);
const mapped = (...columns: readonly (readonly string[])[]) =>
  mapByFile(
    {
      path: 'assay.map.yaml',
      streams: columns.map((fields, at) => ({
        ...{ id: `s${at}`, topic: '/plans', fields, role: 'action', names: null, optional: false },
        unit: { unit: 'unknown', evidence: 'unknown', reason: '' },
      })),
    },
    '/plans',
    root,
  );

describe('columns of a topic', () => {
  it('take one element of each list, or all', () => {
    const { spec, findings } = mapped(
      ['plans[0].points[0].q'],
      ['plans[-1].points[-1].v'],
      ['plans[*].points[*].time', 'speed'],
      ['data[*]'],
    ) ?? { spec: null, findings: null };
    expect(findings).toEqual([]);
    expect(spec?.groups).toMatchObject([
      { paths: ['plans[].points[].q'], only: 'first' },
      { paths: ['plans[].points[].v'], only: 'last' },
      { paths: ['speed', 'plans[].points[].time'], names: ['speed', 'plans[*].points[*].time'] },
      { paths: ['data'] },
    ]);
  });

  it.each([
    ['different elements of nested lists', [['plans[0].points[-1].q']], 'another element'],
    ['one element of the outer list and all of the inner', [['plans[0].points[*].q']], 'another element'],
    [
      'different elements in one stream',
      [['plans[0].points[0].q', 'plans[-1].points[-1].v']],
      'another element',
    ],
    [
      'a single element and a number beside the list',
      [['plans[-1].points[-1].q', 'speed']],
      'another element',
    ],
    ['a single number of a list', [['data[0]']], 'single numbers of a list'],
    ['the last number of a list', [['data[-1]']], 'single numbers of a list'],
    ['a field of another stream', [['plans[0].points[0].q'], ['plans[-1].points[-1].q']], 'the same field'],
  ])('that take %s are refused', (_, columns, message) => {
    const { spec, findings } = mapped(...columns) ?? { spec: null, findings: [] };
    expect(spec?.groups ?? []).toHaveLength(columns.length - 1);
    expect(findings).toMatchObject([
      { code: 'column_unsuitable', message: expect.stringContaining(message) },
    ]);
  });
});
