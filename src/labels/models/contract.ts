import type { TensorSpec, TensorType } from './tensor.ts';

/** A tensor that a graph takes or gives; a size that is null may be any. */
interface TensorShape {
  readonly type: TensorType;
  readonly dims: readonly (number | null)[];
}

/** What a graph takes and gives, by name. It may take or give more. */
export interface GraphShape {
  readonly inputs: Readonly<Record<string, TensorShape>>;
  readonly outputs: Readonly<Record<string, TensorShape>>;
}

/** How numbers of a model are to be read; each form has its reader among the lanes. */
type ModelForm = 'detr' | 'centernet' | 'hand-crops' | 'movenet';

/** What lanes rely on of a model. Its graphs are held against it when they are loaded. */
export interface ModelContract {
  readonly form: ModelForm;
  /** By name; `main` where there is one only. */
  readonly graphs: Readonly<Record<string, GraphShape>>;
  /** Side of the square that pictures are brought to, where the graph leaves it open. */
  readonly side_px: number;
  /** Subtracted and divided by, of red, green and blue between 0 and 255. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** The graph of a model that has one only. */
export const mainGraph = 'main';

type Specs = Readonly<Record<'inputs' | 'outputs', readonly TensorSpec[]>>;

/** What a graph lacks of its contract, in words; null where it has all. */
export function shapeFault(found: Specs, wanted: GraphShape): string | null {
  for (const side of ['inputs', 'outputs'] as const)
    for (const [name, shape] of Object.entries(wanted[side])) {
      const own = found[side].find((spec) => spec.name === name);
      const verb = side === 'inputs' ? 'take' : 'give';
      const must = `it must ${verb} ${name} as ${inWords(shape)}`;
      if (own === undefined) return `${must}, and does not`;
      if (!fits(own, shape)) return `${must}, not as ${inWords(own)}`;
    }
  return null;
}

const fits = ({ type, dims }: TensorSpec, wanted: TensorShape): boolean =>
  type === wanted.type &&
  dims.length === wanted.dims.length &&
  dims.every((size, at) => size === null || wanted.dims[at] === null || size === wanted.dims[at]);

const inWords = ({ type, dims }: Pick<TensorSpec, 'type' | 'dims'>): string =>
  `${type} of ${dims.map((size) => size ?? 'any').join(' x ')}`;
