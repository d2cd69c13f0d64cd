import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError, asUnreadable } from '#core';
import { assessmentSchema } from '#core/api';

const { episodes, decisions, settings } = assessmentSchema.shape.dataset.shape;
const fileSchema = z.object({ dataset: z.object({ episodes, decisions, settings }) });

/** What `assay assess PATH --out DIR` found before. Throws `not_found`, `unreadable_input`. */
export async function earlierAssessment(place: string) {
  const file = join(place, 'assessment.json');
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    throw asUnreadable(thrown, file);
  });
  const { dataset } = read(text, file);
  return { ...dataset, place };
}

function read(text: string, file: string) {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AssayError('unreadable_input', `${file} is not what assay assess --out writes`, {
      ...{ path: file, cause },
      advice: 'name the folder that was given to --out',
    });
  }
}
