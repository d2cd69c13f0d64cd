import { defineRegistry } from '#core';
import { motion } from './motion-descriptor.ts';
import { picture } from './picture-descriptor.ts';

/** All descriptors that episodes can be ranked by. A model's embedding can be added as another row. */
export const descriptors = defineRegistry([motion, picture]);
