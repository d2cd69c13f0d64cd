import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '#core/api/operations';
import { createServer, handlers } from '#service/http';
import type { Store } from '#store';
import { createLog } from './open-installation.ts';

test.skipIf(!existsSync('/dev/full'))(
  'a log on a full disk keeps no answer from its request id (needs /dev/full)',
  async () => {
    const fd = openSync('/dev/full', 'w');
    const server = await createServer({
      ...{ store: {} as Store, operations, handlers },
      authenticate: () => Promise.reject(new Error('a fault that is logged')),
      log: createLog({ log_level: 'info' }, fd),
    });
    for (let request = 0; request < 3; request++) {
      const answer = await server.inject({
        path: '/v1/projects',
        headers: { authorization: 'Bearer some', 'x-request-id': `of-request-${request}` },
      });
      expect(answer.statusCode).toBe(500);
      expect(answer.headers['x-request-id']).toBe(`of-request-${request}`);
      expect(answer.json()).toMatchObject({ code: 'internal', request_id: `of-request-${request}` });
    }
    await server.close();
    closeSync(fd);
  },
);
