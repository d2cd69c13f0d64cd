import { expect, test } from 'vitest';
import { SharedSession } from './shared-session.ts';

/** A session that knows BEGIN and COMMIT, answers when told, and remembers what it was asked. */
function session() {
  const asked: string[] = [];
  const answered: string[] = [];
  let open = false;
  let release = Promise.withResolvers<void>();
  const shared = new SharedSession({
    execute: async (bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      asked.push(text);
      await release.promise;
      if (text === 'fail') throw new Error('on purpose');
      if (text === 'BEGIN') open = true;
      if (/COMMIT|ROLLBACK/.test(text)) open = false;
      return Buffer.from(open ? 'T' : 'I');
    },
    onAnswer: (id) => answered.push(`${id}`),
    onError: (id, message) => answered.push(`${id} ${message}`),
  });
  let id = 0;
  return {
    asked,
    answered,
    shared,
    send: (connection: number, text: string) =>
      shared.add({ id: ++id, connection, bytes: Buffer.from(text) }),
    finish: async () => {
      release.resolve();
      await shared.idle();
      release = Promise.withResolvers();
    },
  };
}

test('rounds of connections take turns in the order they came', async () => {
  const { asked, answered, send, finish } = session();
  send(1, 'a');
  send(2, 'b');
  send(1, 'c');
  await finish();
  expect([asked, answered]).toEqual([
    ['a', 'b', 'c'],
    ['1', '2', '3'],
  ]);
});

test('a connection in a transaction goes first until it ends it', async () => {
  const { asked, send, finish } = session();
  send(1, 'BEGIN');
  send(2, 'b');
  send(1, 'write');
  await finish();
  expect(asked).toEqual(['BEGIN', 'write']);
  send(1, 'COMMIT');
  await finish();
  expect(asked).toEqual(['BEGIN', 'write', 'COMMIT', 'b']);
});

test('a connection that leaves in a transaction is rolled back, and its last words are not spoken', async () => {
  const { asked, answered, send, finish, shared } = session();
  send(1, 'BEGIN');
  send(1, 'write');
  send(2, 'b');
  shared.releaseConnection(1);
  await finish();
  expect(asked[0]).toBe('BEGIN');
  expect(asked[1]).toContain('ROLLBACK');
  expect(asked.slice(2)).toEqual(['b']);
  expect(answered).toEqual(['2 the database connection was lost', '1', '3']);
});

test('a connection that leaves before its transaction began does not begin it', async () => {
  const { asked, send, finish, shared } = session();
  send(2, 'b');
  send(1, 'BEGIN');
  shared.releaseConnection(1);
  send(2, 'c');
  await finish();
  expect(asked).toEqual(['b', 'c']);
});

test('a fault of the session is that round’s only', async () => {
  const { answered, send, finish } = session();
  send(1, 'fail');
  send(2, 'b');
  await finish();
  expect(answered).toEqual(['1 on purpose', '2']);
});
