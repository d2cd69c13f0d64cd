import { AssayError } from '#core';
import type { SourceAccess } from '#io/sources';
import type { BlobPlace } from '#store';

/**
 * The prefix as it is listed, if bucket and prefix lie under an allowed one and do not reach the service's own blobs.
 * Throws `source_not_allowed`.
 */
export function allowedPrefix(
  allowed: SourceAccess,
  own: BlobPlace,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): string {
  const asked = prefix.replace(/^\/+/, '');
  const wanted = `${bucket}/${asked}`;
  if (!allowed.buckets.some((root) => reaches(root, wanted))) throw notAllowed(allowed);
  if (
    own.kind === 's3' &&
    own.bucket === bucket &&
    (own.prefix.startsWith(asked) || asked.startsWith(own.prefix))
  )
    throw refusal('it reaches the place where the service keeps its own data', 'name another prefix');
  return asked;
}

function reaches(root: string, wanted: string): boolean {
  const below = root.endsWith('/') ? root : `${root}/`;
  return wanted.startsWith(below) || `${wanted}/` === below;
}

function notAllowed({ buckets }: SourceAccess): AssayError {
  const add = 'add BUCKET or BUCKET/PREFIX to ASSAY_SOURCE_BUCKETS and start the service again';
  const message =
    buckets.length === 0
      ? 'the service may read no bucket at all'
      : `the prefix lies outside of what the service may read: ${buckets.join(', ')}`;
  const advice =
    buckets.length === 0 ? `to allow one, ${add}` : `name a prefix below these, or allow another: ${add}`;
  return refusal(message, advice, { allowed_buckets: [...buckets] });
}

function refusal(
  message: string,
  advice: string,
  more: { readonly allowed_buckets?: string[] } = {},
): AssayError {
  return new AssayError('source_not_allowed', message, {
    advice,
    details: { ...more, errors: [{ pointer: '/body/bucket', message }] },
  });
}
