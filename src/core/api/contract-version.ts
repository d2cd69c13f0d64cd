/** Versions of the API, not of the program: `api` is part of every path, `version` is listed in the change log. */
export const contractVersions = { api: 'v1', version: '0.1.0' } as const;
