/** Versions of the interface, not of the program: `api` is in every path, `version` is told by the change log. */
export const contractVersions = { api: 'v1', version: '0.1.0' } as const;
