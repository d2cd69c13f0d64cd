import { describe, expect, it } from 'vitest';
import { judged, missing } from '#test/support/judge-recording';

const verdictsOf = async (path: string) =>
  (await judged(path)).receipts.map(({ decision, flags }) => ({
    decision,
    flags: flags.filter(({ severity }) => severity !== 'info').map(({ code }) => code),
  }));

describe.skipIf(missing !== '')(`simulated demonstrations${missing}`, () => {
  it.each(['annotated_dataset', 'generated_dataset_small'])(
    'are accepted with the noise of their solver and of their commands: %s',
    async (name) => {
      const verdicts = await verdictsOf(`hdf5/isaaclab-snake/${name}.hdf5`);
      expect(verdicts).toEqual(Array.from({ length: 10 }, () => ({ decision: 'accept', flags: [] })));
    },
  );

  it('are flagged where a state leaps as in no other episode, and not for commands that are noise', async () => {
    const verdicts = await verdictsOf(
      'hdf5/d4rl-flat/src/generate/abstractsim/export_physical_trajectories/trajectories.hdf5',
    );
    const flagged = verdicts.flatMap(({ flags }, i) => (flags.length > 0 ? [[i, ...flags]] : []));
    expect(flagged).toEqual([0, 2, 9].map((episode) => [episode, 'signal_jump']));
    expect(verdicts.filter(({ decision }) => decision === 'accept')).toHaveLength(7);
  });
});
