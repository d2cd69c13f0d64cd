import { join } from 'node:path';
import { croissantOf, datasetCard, type SealedReport } from '#quality/certification';
import { writeWhole } from '../../steps/judge/receipt-files.ts';

/** Writes what whoever publishes the recordings puts beside them: `card/README.md` and `card/croissant.json`. */
export function writeCard(folder: string, sealed: SealedReport): void {
  writeWhole(join(folder, 'card', 'README.md'), datasetCard(sealed));
  writeWhole(join(folder, 'card', 'croissant.json'), croissantOf(sealed));
}
