/** A file of the web application, as it is sent. */
export interface SiteFile {
  readonly content_type: string;
  readonly etag: string;
  readonly plain: Buffer;
  /** Null where packing does not make it smaller. */
  readonly gzipped: Buffer | null;
  /** Its name changes with its content. */
  readonly immutable: boolean;
}

/** The web application: `index.html` and what that loads. */
export interface Site {
  /** By its path below the site; null where there is none. */
  file(path: string): Promise<SiteFile | null>;
}
