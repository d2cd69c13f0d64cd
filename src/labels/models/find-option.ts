import type { ModelOption, RejectedModel } from './surface.ts';
import { surfaces } from './surface-registry.ts';

/** Every model that may be chosen, once each. */
export const modelOptions: readonly ModelOption[] = [
  ...new Map(
    surfaces.rows.flatMap(({ options }) => options.map((option) => [option.id, option] as const)),
  ).values(),
];

/** The option of that id, whatever it is used for. */
export const findOption = (id: string): ModelOption | null =>
  modelOptions.find((option) => option.id === id) ?? null;

/** The model of that id that was turned down for its licence. */
export const findRejected = (id: string): RejectedModel | null =>
  surfaces.rows.flatMap(({ rejected }) => rejected).find((rival) => rival.id === id) ?? null;
