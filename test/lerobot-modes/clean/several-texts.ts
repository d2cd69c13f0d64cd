import type { CleanVariant } from '../mode.ts';

/** Two texts for each task. */
export const severalTexts: CleanVariant = {
  id: 'several_texts',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes }) => {
    const others = [
      'Grasp the red cube and place it in the bowl',
      'Shove the blue block over to the right side of the table',
      'Clean the table using the sponge',
    ];
    others.forEach((text, task) => {
      episodes[task + 3].task = text;
    });
  },
};
