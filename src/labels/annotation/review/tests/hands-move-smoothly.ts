import { posesMoveSmoothly } from '../poses-move-smoothly.ts';

export const handsMoveSmoothly = posesMoveSmoothly({ layer: 'hand_pose', name: 'hands', one: 'hand' });
