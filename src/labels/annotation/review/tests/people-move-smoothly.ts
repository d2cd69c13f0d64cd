import { posesMoveSmoothly } from '../poses-move-smoothly.ts';

export const peopleMoveSmoothly = posesMoveSmoothly({ layer: 'body_pose', name: 'people', one: 'body' });
