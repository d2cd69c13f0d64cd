import { hdf5File, type WrittenArray, type WrittenGroup } from '@assay/hdf5/testing';
import { moving, robomimicFile } from '../hdf5-recordings.ts';
import type { PlantedFormat } from './plant.ts';

const steps = 10;
const flat = (rows: number): WrittenArray => ({ values: new Float32Array(rows), shape: [rows] });

/** A demonstration of numbers, whole; what is given goes over it, undefined takes away. */
function demo(
  over: {
    num_samples?: number | undefined;
    arrays?: Readonly<Record<string, WrittenArray | undefined>>;
    obs?: Readonly<Record<string, WrittenArray | undefined>>;
  } = {},
): WrittenGroup {
  const num_samples = 'num_samples' in over ? over.num_samples : steps;
  const obs = { joints: moving(steps, 7), hand: moving(steps, 2, 0.04) };
  return {
    attributes: num_samples === undefined ? {} : { num_samples },
    arrays: present({
      ...{ actions: moving(steps, 7), rewards: flat(steps), dones: flat(steps) },
      ...over.arrays,
    }),
    groups: { obs: { arrays: present({ ...obs, ...over.obs }) }, next_obs: { arrays: obs } },
  };
}

function present(arrays: Readonly<Record<string, WrittenArray | undefined>>): Record<string, WrittenArray> {
  return Object.fromEntries(
    Object.entries(arrays).flatMap(([name, array]) => (array === undefined ? [] : [[name, array]])),
  );
}

type Over = Parameters<typeof robomimicFile>[1];
const file = (second: WrittenGroup, name = 'demo_1', over: Over = {}) => ({
  'low_dim.hdf5': hdf5File(
    robomimicFile(
      { demo_0: demo(), [name]: second, demo_2: demo() },
      { ...over, attributes: { total: 3 * steps, ...over?.attributes } },
    ),
  ),
});
const of = (rule: string, second: WrittenGroup) => ({ rule, episode: 1, files: file(second) });
const masks = (train: string[], valid: string[]) => file(demo(), 'demo_1', { masks: { train, valid } });
const ofSet = (rule: string, files: Record<string, Uint8Array>) => ({ rule, episode: null, files });

export const robomimicPlants: PlantedFormat = {
  title: 'robomimic HDF5',
  sound: masks(['demo_0', 'demo_1'], ['demo_2']),
  plants: [
    ofSet('robomimic_demo_name', file(demo(), 'second')),
    ofSet('robomimic_demo_name', file(demo(), 'demo_1b')),
    ofSet('robomimic_env_args_missing', file(demo(), 'demo_1', { attributes: { env_args: 'Lift' } })),
    ofSet('robomimic_actions_missing', file(demo({ arrays: { actions: undefined } }))),
    ofSet('robomimic_mask_demo_absent', masks(['demo_0', 'demo_9'], ['demo_2'])),
    ofSet('robomimic_masks_overlap', masks(['demo_0', 'demo_1'], ['demo_1', 'demo_2'])),
    ofSet('robomimic_transitions_missing', file({ ...demo(), groups: { obs: demo().groups!.obs } })),
    of('robomimic_num_samples_missing', demo({ num_samples: undefined })),
    of('robomimic_num_samples_type', demo({ num_samples: steps - 0.5 })),
    of('robomimic_num_samples_zero', demo({ num_samples: 0 })),
    of('robomimic_num_samples_over', demo({ num_samples: steps + 1 })),
    of('robomimic_num_samples_under', demo({ num_samples: steps - 1 })),
    of('robomimic_array_short', demo({ obs: { hand: moving(steps - 1, 2) } })),
    of('robomimic_array_short', demo({ arrays: { rewards: flat(steps - 1) } })),
    of('robomimic_array_long', demo({ obs: { hand: moving(steps + 1, 2) } })),
    of('robomimic_array_missing', demo({ obs: { hand: undefined } })),
    of('robomimic_array_missing', demo({ arrays: { rewards: undefined } })),
    of('robomimic_shape_differs', demo({ obs: { hand: moving(steps, 3) } })),
    of('robomimic_shape_differs', demo({ arrays: { actions: moving(steps, 6) } })),
    of('robomimic_actions_out_of_range', demo({ arrays: { actions: moving(steps, 7, 1.01) } })),
  ],
};
