import { AssayError } from '#core';
import type { ExportFormatId } from '#core/api';
import { formatsWithAnnotations } from '#engine';

interface Asked {
  readonly format: ExportFormatId;
  readonly annotations?: boolean | undefined;
}

/** Throws `invalid_request` where what layers say is to go into a format that has no place for it. */
export function demandAnnotations({ format, annotations }: Asked): void {
  const formats = formatsWithAnnotations();
  if (annotations !== true || formats.includes(format)) return;
  const message = `${format} has no place for what annotation layers say`;
  throw new AssayError('invalid_request', message, {
    advice: `leave annotations out, or export as one of ${formats.join(', ')}`,
    details: { errors: [{ pointer: '/body/annotations', message }] },
  });
}
