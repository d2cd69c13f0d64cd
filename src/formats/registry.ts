import { defineRegistry } from '#kernel';
import { lerobotReader } from './readers/lerobot/index.ts';

/** Every format that is read. Folder readers first: what they claim is not asked of the others. */
export const readers = defineRegistry([lerobotReader]);
