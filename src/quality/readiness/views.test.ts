import { describe, expect, it } from 'vitest';
import { checks } from './check-registry.ts';
import { flaggedSubject, sealedReceipt } from './test-receipt.ts';
import { createViews, viewOf } from './views.ts';

const { receipt } = sealedReceipt(flaggedSubject());
const views = createViews(receipt);

describe('views of a receipt', () => {
  it('show every check once, as the receipt has it', () => {
    const shown = [...views.integrity.checks, ...views.semantic.checks];
    expect(shown.map(({ id }) => id).sort()).toEqual([...checks.ids].sort());
    for (const component of shown) expect(receipt.checks).toContain(component);
    for (const id of checks.ids) expect(Object.keys(viewOf)).toContain(id);
  });

  it('add up to the headline score', () => {
    const weightOf = (ids: readonly string[]) =>
      receipt.checks.reduce(
        (sum, c) => sum + (c.status === 'scored' && ids.includes(c.id) ? c.weight : 0),
        0,
      );
    const integrity = weightOf(views.integrity.checks.map(({ id }) => id));
    const semantic = weightOf(views.semantic.checks.map(({ id }) => id));
    const total =
      (integrity * views.integrity.score! + semantic * views.semantic.score!) / (integrity + semantic);
    expect(total).toBeCloseTo(receipt.score!, 5);
  });

  it('give utility no number and a reason for everything', () => {
    expect(views.utility).not.toHaveProperty('score');
    expect(views.utility.signals.find(({ signal }) => signal === 'cameras')).toMatchObject({
      status: 'present',
    });
    expect(views.utility.signals.find(({ signal }) => signal === 'outcome')).toMatchObject({
      status: 'not_assessable',
    });
    for (const { reason } of views.utility.signals) expect(reason.length).toBeGreaterThan(0);
  });
});
