// Written by `npm run generate` from src/core/api. Change it there.
export interface Health {
  readonly status: 'ok';
}

export interface Readiness {
  readonly status: 'ready';
  readonly database: 'embedded' | 'server';
}
