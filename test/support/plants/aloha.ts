import { hdf5File, type WrittenArray, type WrittenGroup } from '@assay/hdf5/testing';
import { moving, paddedPictures, pixels } from '../hdf5-recordings.ts';
import type { PlantedFormat } from './plant.ts';

const steps = 10;
type Arrays = Readonly<Record<string, WrittenArray | undefined>>;

const present = (arrays: Arrays): Record<string, WrittenArray> =>
  Object.fromEntries(
    Object.entries(arrays).flatMap(([name, array]) => (array === undefined ? [] : [[name, array]])),
  );

/** An episode of two cameras, whole; what is given goes over it, undefined takes away. */
function episode(
  over: {
    attributes?: WrittenGroup['attributes'];
    action?: WrittenArray;
    observations?: Arrays;
    images?: Arrays;
  } = {},
): Buffer {
  const observations = { qpos: moving(steps, 14), qvel: moving(steps, 14), ...over.observations };
  const images = { cam_high: pixels(steps), cam_low: pixels(steps), ...over.images };
  return hdf5File({
    attributes: over.attributes ?? { sim: true },
    arrays: { action: over.action ?? moving(steps, 14) },
    groups: {
      observations: { arrays: present(observations), groups: { images: { arrays: present(images) } } },
    },
  });
}

type Over = Parameters<typeof episode>[0];
const named = (second: string, over: Over = {}) => ({
  'episode_0.hdf5': episode(),
  [second]: episode(over),
  'episode_2.hdf5': episode(),
});
const of = (rule: string, over: Over) => ({ rule, episode: 1, files: named('episode_1.hdf5', over) });
const ofSet = (rule: string, files: Record<string, Uint8Array>) => ({ rule, episode: null, files });

const large: WrittenArray = { values: new Uint8Array(steps * 24 * 32 * 3), shape: [steps, 24, 32, 3] };
const broken = moving(steps, 14);
broken.values[17] = Number.NaN;
const longer: Over = {
  action: moving(steps + 1, 14),
  observations: { qpos: moving(steps + 1, 14), qvel: moving(steps + 1, 14) },
  images: { cam_high: pixels(steps + 1), cam_low: pixels(steps + 1) },
};
const encoded = { images: { cam_high: paddedPictures(steps), cam_low: paddedPictures(steps) } };
const compressed = episode({ ...encoded, attributes: { sim: true, compress: true } });

export const alohaPlants: PlantedFormat = {
  title: 'ALOHA and ACT HDF5',
  sound: named('episode_1.hdf5'),
  plants: [
    ofSet('aloha_numbering', { ...named('episode_3.hdf5') }),
    ofSet('aloha_numbering', { ...named('episode_01.hdf5') }),
    ofSet('aloha_file_not_taken', { ...named('episode_1.hdf5'), 'episode_3.h5': episode() }),
    ofSet('aloha_numbering', { 'a.hdf5': episode(), 'b.hdf5': episode() }),
    ofSet('aloha_no_file_taken', { 'a.h5': compressed, 'b.h5': compressed }),
    ofSet('aloha_lengths_differ', named('episode_1.hdf5', longer)),
    ofSet('aloha_camera_sizes_mixed', named('episode_1.hdf5', { images: { cam_low: large } })),
    ofSet('aloha_compress_attribute', {
      'episode_0.hdf5': episode(encoded),
      'episode_1.hdf5': episode(encoded),
    }),
    of('aloha_sim_missing', { attributes: {} }),
    of('aloha_qvel_missing', { observations: { qvel: undefined } }),
    of('aloha_array_short', { observations: { qvel: moving(steps - 1, 14) } }),
    of('aloha_array_short', { images: { cam_low: pixels(steps - 1) } }),
    of('aloha_array_long', { observations: { qvel: moving(steps + 1, 14) } }),
    of('aloha_array_long', { images: { cam_low: pixels(steps + 1) } }),
    of('aloha_value_not_finite', { action: broken }),
    of('aloha_value_not_finite', { observations: { qpos: broken } }),
    of('aloha_width_differs', { action: moving(steps, 7) }),
    of('aloha_width_differs', { observations: { qpos: moving(steps, 7) } }),
    of('aloha_camera_missing', { images: { cam_low: undefined } }),
    of('aloha_camera_size_differs', { images: { cam_high: large, cam_low: large } }),
  ],
};
