import { anywhere, type Mode } from '../mode.ts';

export const unitChanges: Mode = {
  id: 'unit_changes',
  row: 59,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['unit_drift'],
  least: 'blocking',
  record: ({ episodes }, { episode }) => {
    const radians = (values: Float32Array) => values.map((value) => (value * Math.PI) / 180);
    episodes[episode].state = radians(episodes[episode].state);
    episodes[episode].action = radians(episodes[episode].action);
  },
};
