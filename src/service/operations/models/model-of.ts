import { AssayError } from '#core';
import { findOption, findRejected, listPlaced, type ModelOption, modelOptions } from '#labels/models';

/** The model of that id. Throws `usage` naming what there is, and the licence where that is why it is not offered. */
export function modelOf(id: string): ModelOption {
  const option = findOption(id);
  if (option !== null) return option;
  const rejected = findRejected(id);
  const why =
    rejected === null
      ? `there is no model ${id}`
      : `${id} is not offered (its licence, ${rejected.licence}: ${rejected.reason})`;
  throw new AssayError('usage', why, {
    advice: `choose one of ${modelOptions.map((one) => one.id).join(', ')}`,
  });
}

/** The models of which files lie in the models folder. */
export async function placedModels(data_folder: string): Promise<readonly ModelOption[]> {
  const placed = await listPlaced(data_folder);
  return modelOptions.filter(({ id }) => placed.has(id));
}
