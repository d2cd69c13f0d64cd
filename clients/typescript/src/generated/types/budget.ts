// Written by `npm run generate` from src/core/api. Change it there.
export interface Budget {
  readonly cap_usd: number | null;
  readonly spent_usd: number;
  readonly reserved_usd: number;
  readonly remaining_usd: number | null;
  readonly window: {
    readonly days: number;
    readonly from: string;
    readonly to: string;
  };
  readonly prices?: PriceList | undefined;
}

export interface Costs {
  readonly group_by: 'layer' | 'project' | 'day' | 'model';
  readonly window: {
    readonly from: string;
    readonly to: string;
  };
  readonly items: readonly {
    readonly key: string | null;
    readonly amount_usd: number;
    readonly waived_usd: number;
    readonly compute_s: number;
    readonly charges: number;
  }[];
  readonly total_usd: number;
}

export type PriceList = {
  readonly compute_usd_per_s: number;
  readonly devices: {
    readonly cpu?: number | undefined;
    readonly gpu?: number | undefined;
  };
  readonly layers: Readonly<
    Partial<
      Record<
        | 'metadata'
        | 'captions'
        | 'segments'
        | 'object_labels'
        | 'dense_text'
        | 'hand_pose'
        | 'body_pose'
        | 'tracks'
        | 'segmentation'
        | 'depth'
        | 'optical_flow'
        | 'representation_3d'
        | 'annotation_review'
        | 'readiness',
        {
          readonly cpu?: number | undefined;
          readonly gpu?: number | undefined;
          readonly compute_usd_per_s?: number | undefined;
        }
      >
    >
  >;
  readonly models: Readonly<
    Record<
      string,
      {
        readonly prompt_usd_per_mtok: number;
        readonly completion_usd_per_mtok: number;
      }
    >
  >;
  readonly unlisted_models?:
    | {
        readonly prompt_usd_per_mtok: number;
        readonly completion_usd_per_mtok: number;
      }
    | undefined;
};
