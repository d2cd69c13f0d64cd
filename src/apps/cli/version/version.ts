import metadata from '../../../../package.json' with { type: 'json' };

/** The version of the package, without loading what judges. */
export const version: string = metadata.version;
