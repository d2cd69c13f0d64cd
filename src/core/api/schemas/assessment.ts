import { z } from 'zod';
import { findingSchema, receiptSchema } from './receipt.ts';

/**
 * Data that could not be measured on this machine at this time. It is not a fault of the recording. Since episodes of
 * a dataset are compared with each other, no receipts are written for the dataset until a later assessment has
 * measured all of it.
 */
export const incompleteSchema = z.strictObject({
  /** File or folder where it happened, relative to the assessed path. */
  path: z.string().nullable(),
  /** Id of the episode; `null` if unknown. */
  episode: z.string().nullable(),
  /** Number of expected episodes that were not measured because of it. */
  episodes: z.int(),
  reason: z.string(),
  advice: z.string(),
});

export type Incomplete = z.infer<typeof incompleteSchema>;

/** Verdict on a dataset as a whole. */
export const setVerdictSchema = z.strictObject({
  /**
   * `usable`: it can be used for training as it is. `usable_after_fix`: it can be used once the remedies are applied.
   * `not_usable`: no episode can be used, even after the remedies.
   */
  verdict: z.enum(['usable', 'usable_after_fix', 'not_usable']),
  /** Number of usable episodes once the remedies are applied. */
  usable_episodes: z.int(),
  /** Problems that prevent using it as it is, worst first; empty if it is usable. */
  reasons: z.array(
    z.strictObject({
      /** Code of the finding or flag, or `score_too_low`. */
      code: z.string(),
      /**
       * Effect on the loader (`refuses_set`, `refuses_rows`, `serves_wrong_rows`), on training (`stops_training`), or on the
       * episodes: they cannot be read (`unreadable`) or a check rejects them (`rejected`).
       */
      effect: z.enum([
        'refuses_set',
        'refuses_rows',
        'serves_wrong_rows',
        'stops_training',
        'unreadable',
        'rejected',
      ]),
      /** Number of episodes concerned; `null` if the dataset as a whole is. */
      episodes: z.int().nullable(),
      /**
       * `fix`: `assay fix` can correct it. `export`: `assay export` writes the usable episodes as a new dataset.
       * `restore`: fetch, record, map or convert the data, as the finding advises.
       */
      remedy: z.enum(['fix', 'export', 'restore']),
    }),
  ),
});

export type SetVerdict = z.infer<typeof setVerdictSchema>;

/** Answer of the loaders: `yes` if all of them open the dataset and return every row correctly. */
const loadAnswerSchema = z.strictObject({
  /** Titles of the loaders, such as `LeRobot v3.0`. */
  reader: z.string(),
  loads: z.enum(['yes', 'no']),
  why: z.array(
    z.strictObject({
      rule: z.string(),
      does: z.string(),
      episodes: z.int().nullable(),
      /** True if `assay fix` can correct it. */
      fix: z.boolean(),
    }),
  ),
});

const loadVerdictSchema = z.strictObject({
  ...loadAnswerSchema.shape,
  /** Ids of the loaders, such as `lerobot-0.4`; `assess --loader` takes them. */
  loaders: z.array(z.string()),
  /** `default`: by format and version. `detected`: by a file of the dataset. `requested`: by `--loader`. */
  choice: z.enum(['default', 'detected', 'requested']),
  /** File that led to a detected loader, such as `meta/modality.json`. */
  marker: z.string().nullable(),
  /** Answers of the format's other loaders, for information. */
  others: z.array(z.strictObject({ ...loadAnswerSchema.shape, loader: z.string() })),
});

/** Output of `assay assess PATH --json`. */
export const assessmentSchema = z.strictObject({
  dataset: z.strictObject({
    /** `mixed` when the folder holds several formats. */
    format: z.string(),
    episodes: z.int(),
    unreadable: z.int(),
    /** Settings of the assessment; equal hashes mean equal settings. */
    settings: z.strictObject({ name: z.enum(['default', 'changed']), hash: z.string() }),
    decisions: z.strictObject({ accept: z.int(), review: z.int(), reject: z.int() }),
    /** Verdict on everything under the path. */
    usability: setVerdictSchema,
    findings: z.array(findingSchema),
    /**
     * Data that could not be measured; empty if everything was. Otherwise the command exits with 4 and can be run
     * again.
     */
    incomplete: z.array(incompleteSchema),
    parts: z.array(
      z.strictObject({
        path: z.string(),
        format: z.string(),
        evidence: z.array(z.string()),
        kind: z.string().nullable(),
        episodes: z.int(),
        /** Whether its loader opens it and returns every row correctly; `null` if no loader's rules are known. */
        loads: loadVerdictSchema.nullable(),
        /** Verdict on this dataset as a whole. */
        usability: setVerdictSchema,
      }),
    ),
  }),
  receipts: z.array(receiptSchema),
});

export type Assessment = z.infer<typeof assessmentSchema>;
