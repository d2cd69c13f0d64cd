import { datumaroFormat } from './datumaro.ts';
import type { LabelFormat } from './label-format.ts';
import { labelStudioFormat } from './label-studio.ts';
import { labelmeFormat, superviselyFormat } from './picture-json-formats.ts';
import { viaFormat } from './via.ts';
import { cvatFormat, vocFormat } from './xml-formats.ts';

/** Formats of label files that are read with the pictures beside them. */
export const labelFormats: readonly LabelFormat[] = [
  viaFormat,
  labelmeFormat,
  labelStudioFormat,
  datumaroFormat,
  superviselyFormat,
  cvatFormat,
  vocFormat,
];

/** Returns the format of a label file, judging by its extension and first bytes; `null` if it is of none. */
export function identifyLabels(path: string, head: string): LabelFormat | null {
  const name = path.toLowerCase();
  return (
    labelFormats.find(
      ({ extension, signs }) => name.endsWith(extension) && signs.every((sign) => sign.test(head)),
    ) ?? null
  );
}
