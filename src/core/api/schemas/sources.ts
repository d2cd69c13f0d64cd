import { z } from 'zod';
import { idSchema, nameSchema, timeSchema } from '../primitives.ts';
import { actorIdSchema } from './tenancy.ts';

const count = z.int().nonnegative();

/** Path of a file in its upload: relative, separated by `/`, without `..`. */
const uploadPathSchema = z.string().min(1).max(700);
/** Lower-case hexadecimal. */
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** File of an upload, as declared by the client. */
const promisedFileSchema = z.strictObject({
  path: uploadPathSchema,
  bytes: count,
  sha256: sha256Schema,
});
export type PromisedFile = z.infer<typeof promisedFileSchema>;

const name = nameSchema.optional().meta({ description: 'Defaults to the last part of the path.' });

export const createSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('folder'),
    name,
    path: z.string().min(1).max(4096).meta({
      description:
        'Absolute path of a folder or file on the service’s machine, inside one of its allowed roots; or an address: `hf://OWNER/NAME`, optionally followed by `@REVISION` and a folder, `https://HOST/FOLDER/`, or `s3://BUCKET/PREFIX`. The files of an address are listed when it is registered, planned, and run without a plan.',
    }),
  }),
  z.strictObject({
    kind: z.literal('s3'),
    name,
    bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
    prefix: z
      .string()
      .max(900)
      .default('')
      .meta({ description: 'All objects under this prefix are read. Empty for the whole bucket.' }),
  }),
  z.strictObject({
    kind: z.literal('upload'),
    name: nameSchema,
    files: z.array(promisedFileSchema).max(100_000).default([]).meta({
      description:
        'Files that will be uploaded, so that missing ones can be reported on completion. Other files may be uploaded too.',
    }),
  }),
]);
export type CreateSource = z.output<typeof createSourceSchema>;

export const sourceSchema = z
  .strictObject({
    id: idSchema('src'),
    project_id: idSchema('prj'),
    name: z.string(),
    /** An upload is `open` until it is completed. `gone`: the source was removed; its runs and episodes are kept. */
    state: z.enum(['open', 'ready', 'gone']),
    location: z.discriminatedUnion('kind', [
      /** A path, or the `hf://` or `https://` address that was registered as one. */
      z.strictObject({ kind: z.literal('folder'), path: z.string() }),
      z.strictObject({ kind: z.literal('s3'), bucket: z.string(), prefix: z.string() }),
      z.strictObject({
        kind: z.literal('upload'),
        /** URL to upload files to, with the tus protocol. */
        upload_url: z.string(),
        /** Time at which an unfinished upload is deleted; null once it is complete. */
        expires_at: timeSchema.nullable(),
      }),
    ]),
    /** Number of files; `null` until they were counted. */
    files: count.nullable(),
    bytes: count.nullable(),
    created_at: timeSchema,
    created_by: actorIdSchema,
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof sourceSchema>;

export const sourceFileSchema = z
  .strictObject({
    path: z.string(),
    bytes: count,
    sha256: sha256Schema,
    state: z.enum(['promised', 'receiving', 'whole']),
    /** URL to resume an unfinished upload; `null` for others. */
    upload_url: z.string().nullable(),
  })
  .meta({ id: 'SourceFile' });
export type SourceFile = z.infer<typeof sourceFileSchema>;
