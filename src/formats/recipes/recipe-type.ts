/** Where a recording begins and ends episodes. */
export type Split =
  | { readonly by: 'whole' }
  | {
      readonly by: 'value';
      readonly stream: string;
      readonly dimension: number | string;
      readonly above?: number;
      readonly below?: number;
      readonly equals?: number;
    }
  | {
      readonly by: 'edge';
      readonly stream: string;
      readonly dimension: number | string;
      readonly edge: 'rising' | 'falling' | 'both';
      readonly threshold: number;
    }
  | { readonly by: 'message'; readonly stream: string; readonly end_stream?: string }
  | { readonly by: 'event'; readonly label: string; readonly end_label?: string }
  | { readonly by: 'gap'; readonly longer_than_s: number; readonly streams?: readonly string[] }
  | { readonly by: 'window'; readonly length_s: number; readonly overlap_s: number };

/** How recordings become episodes where their format has no boundaries: as a person wrote it, defaults filled in. */
export type Recipe = {
  readonly assay_recipe: 1;
  readonly split: Split;
  /** What is shorter is no episode. */
  readonly min_length_s: number;
  /** What is longer is cut into chunks of equal length that share `overlap_s`. */
  readonly max_length_s?: number;
  readonly overlap_s: number;
};
