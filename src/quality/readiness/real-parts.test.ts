import { describe, expect, it } from 'vitest';
import { judged, missing } from '#test/support/judge-recording';

describe.skipIf(missing !== '')(`the first ten steps of real WidowX episodes${missing}`, () => {
  it('are not held against the motions of other texts, since nobody knows which part of a task they show', async () => {
    const { compared, receipts } = await judged('rlds/bridge');
    expect(receipts).toHaveLength(25);
    expect(compared.findings.map(({ code }) => code)).not.toContain('instruction_mismatch');
    expect(receipts.flatMap(({ flags }) => flags.map(({ code }) => code))).not.toContain(
      'instruction_mismatch',
    );
  });
});
