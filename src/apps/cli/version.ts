import metadata from '../../../package.json' with { type: 'json' };

/** Version of the package, readable without loading the assessment code. */
export const version: string = metadata.version;
