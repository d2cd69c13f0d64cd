import { defineRegistry } from '#core';
import { convert } from './convert.ts';
import { cut } from './cut.ts';
import { drop } from './drop.ts';
import type { ExportEdit } from './export-edit.ts';
import { rename } from './rename.ts';
import { shift } from './shift.ts';
import { size } from './size.ts';
import { split } from './split.ts';
import { trim } from './trim.ts';
import { video } from './video.ts';

/** Every edit, in the order in which they are made: names are the source's until `rename`. */
export const exportEdits = defineRegistry<ExportEdit>([
  drop,
  convert,
  cut,
  shift,
  trim,
  video,
  size,
  rename,
  split,
]);
