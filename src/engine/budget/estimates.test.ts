import { describe, expect, it } from 'vitest';
import type { MeasuredRate } from '#store';
import { estimateWork } from './estimates.ts';

const planned = {
  ...{ planned_s: 10, work: 'depth abc', family: 'depth model', size_class: -2, in_run: false },
};
const rate = (more: Partial<MeasuredRate>): MeasuredRate => ({
  ...{
    work: 'depth abc',
    family: 'depth model',
    size_class: -2,
    device: 'cpu',
    in_run: false,
    samples: 5,
    planned_s: 50,
  },
  ...{ low: 2, median: 3, high: 4, newest_s: 100 },
  ...more,
});

describe('an estimate', () => {
  it('is the plan with a wide range where nothing was measured', () => {
    expect(estimateWork(planned, [rate({ work: 'x', family: 'x' })])).toMatchObject({
      ...{ compute_s: 10, low_s: 2.5, high_s: 40, basis: 'planned', samples: 0, planned_s: 10 },
    });
  });

  it('prefers the same settings, pictures and kind of job over similar ones', () => {
    const others = [
      rate({ in_run: true, median: 5 }),
      rate({ work: 'depth xyz', median: 7 }),
      rate({ size_class: 0, median: 9 }),
    ];
    expect(estimateWork(planned, [...others, rate({})])).toMatchObject({
      compute_s: 30,
      low_s: 20,
      high_s: 40,
    });
    expect(estimateWork(planned, others)).toMatchObject({ compute_s: 50 });
    expect(estimateWork(planned, others.slice(1))).toMatchObject({ compute_s: 70 });
    expect(estimateWork(planned, others.slice(2))).toMatchObject({ compute_s: 90, samples: 5 });
  });

  it('is of the device that was used last', () => {
    const gpu = rate({ device: 'gpu', median: 0.1, low: 0.1, high: 0.1, newest_s: 200 });
    expect(estimateWork(planned, [rate({}), gpu])).toMatchObject({ compute_s: 1, device: 'gpu', samples: 5 });
  });

  it('follows the work with the longest planned time', () => {
    const brief = rate({ work: 'depth xyz', samples: 100, planned_s: 0.1, median: 50 });
    const long = rate({ work: 'depth uvw', samples: 1, planned_s: 500, median: 2 });
    expect(estimateWork({ ...planned, work: 'depth new' }, [brief, long])).toMatchObject({ compute_s: 20 });
  });

  it('has at least half as much range on either side while few jobs were measured', () => {
    const one = rate({ samples: 1, low: 3, high: 3 });
    expect(estimateWork(planned, [one])).toMatchObject({ compute_s: 30, low_s: 20, high_s: 45 });
  });
});
