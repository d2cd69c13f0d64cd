import { defineRegistry } from '#core';
import { motion } from './descriptors/motion.ts';
import { picture } from './descriptors/picture.ts';

/** All descriptors that episodes can be ranked by. A model's embedding can be added as another row. */
export const descriptors = defineRegistry([motion, picture]);
