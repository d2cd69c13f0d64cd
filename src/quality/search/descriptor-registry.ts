import { defineRegistry } from '#core';
import { motion } from './descriptors/motion.ts';
import { picture } from './descriptors/picture.ts';

/** Everything that episodes can be ranked by the likeness of. A model's embedding would be one more row. */
export const descriptors = defineRegistry([motion, picture]);
