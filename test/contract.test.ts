import { request as rawRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdPrefix, idPrefixes, newId } from '#core';
import { type Operation, problemSchema, type Role, roleReaches, roles } from '#core/api';
import { operations } from '#core/api/operations';
import { type Answered, ask, OwnObjects } from './support/contract-calls.ts';
import { type ContractService, startContractService } from './support/contract-service.ts';
import { isNightly, rounds } from './support/tiers.ts';

/**
 * Walks every operation of the contract on a listening service. A new operation is walked without a change here; a new
 * path parameter needs a row in support/contract-fixtures.ts.
 */
let service: ContractService;
let own: readonly [OwnObjects, OwnObjects];
beforeAll(async () => {
  service = await startContractService();
  own = [new OwnObjects(service, service.tenants[0]), new OwnObjects(service, service.tenants[1])];
});
afterAll(() => service.close());

const places = [0, 1] as const;
const all = operations.rows;
const closed = all.filter((operation) => operation.role !== 'public');
const lowest = (operation: Operation): Role => (operation.role === 'public' ? 'viewer' : operation.role);
const above = ({ role }: Operation) => roles.filter((has) => role === 'public' || roleReaches(has, role));
/** Returns the roles that call an operation: the lowest permitted one and the one below; all at night and for personal objects. */
const asking = (operation: Operation): readonly Role[] => {
  if (isNightly || operation.personal) return roles;
  const at = roles.indexOf(lowest(operation));
  return roles.slice(Math.max(0, at - 1), at + 1);
};
/** Returns the token for an operation: personal objects are requested by the admin who creates the fixtures. */
const tokenFor = (operation: Operation, place: 0 | 1) =>
  service.tenants[place].tokens[operation.personal ? 'admin' : lowest(operation)];
const isId = (value: string) => idPrefixes.some((prefix) => value.startsWith(`${prefix}_`));
const absent = (id: string) => newId(id.slice(0, id.indexOf('_')) as IdPrefix);
const each = (rows: readonly Operation[]) => rows.map((operation) => [operation.id, operation] as const);
/** Removes the parts of a problem that may differ between equivalent answers. */
const said = ({ problem }: Answered, params: Readonly<Record<string, string>>) => {
  const { instance: _instance, request_id: _request, ...rest } = problem ?? {};
  const names = Object.entries(params).filter(([, value]) => isId(value));
  return names.reduce((text, [name, id]) => text.replaceAll(id, `<${name}>`), JSON.stringify(rest));
};
/** An object that was deleted is made anew for whoever asks next. */
const after = (operation: Operation, place: 0 | 1, params: Readonly<Record<string, string>>) => {
  if (operation.method !== 'DELETE') return;
  const last = Object.keys(params).at(-1);
  if (last !== undefined) own[place].forget(last);
};

describe.each(each(closed))('%s', (_id, operation) => {
  it('needs a token that is good', async () => {
    const params = await own[0].params(operation);
    const bad = [undefined, 'asy_no', `asy_${'0'.repeat(43)}`, service.expired, service.revoked];
    for (const token of bad) {
      const answer = await ask(service, operation, { token, params });
      expect([answer.status, answer.problem?.code]).toEqual([401, 'unauthenticated']);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('lets in who may, in both tenants, and tells the others which role they need', async () => {
    // The second tenant differs where an operation is the operator's; elsewhere it is asked at night.
    for (const place of operation.operator === true ? places : places.slice(0, rounds(1, 2)))
      for (const role of asking(operation)) {
        const params = await own[place].params(operation);
        const body = await own[place].body(operation);
        const token = service.tenants[place].tokens[role];
        const answer = await ask(service, operation, { token, params, body });
        const may = operation.operator !== true || place === 0;
        if (operation.personal && role !== 'admin') {
          expect(answer.status, answer.text).toBe(404);
          continue;
        }
        if (may && above(operation).includes(role)) {
          expect([401, 403, 404, 422], answer.text).not.toContain(answer.status);
          if (operation.method === 'GET') expect(answer.status, answer.text).toBe(operation.success.status);
          after(operation, place, params);
        } else {
          expect(answer.status, answer.text).toBe(403);
          expect(answer.problem).toMatchObject({ required_role: operation.role, role });
        }
      }
  });
});

const ofObjects = closed.filter(({ path }) => /_id\*?\}/.test(path));
describe.each(each(ofObjects))('%s', (_id, operation) => {
  it('does not tell another tenant’s objects from such as do not exist', async () => {
    const [foreign, body] = [await own[0].params(operation), await own[1].body(operation)];
    const missing = Object.fromEntries(
      Object.entries(foreign).map(([name, value]) => [name, isId(value) ? absent(value) : value]),
    );
    if (!Object.values(foreign).some(isId)) return;
    for (const role of above(operation).slice(0, rounds(1, roles.length))) {
      const token = service.tenants[1].tokens[role];
      const theirs = await ask(service, operation, { token, params: foreign, body });
      const none = await ask(service, operation, { token, params: missing, body });
      expect([theirs.status, none.status]).toEqual([404, 404]);
      expect(said(theirs, foreign)).toBe(said(none, missing));
    }
  });

  it('knows no id that cannot be one', async () => {
    const params = await own[0].params(operation);
    for (const [name, value] of Object.entries(params).filter(([, id]) => isId(id)))
      for (const wrong of [`${value}x`, value.toUpperCase(), 'null', '%00', '..%2f..'])
        expect(
          (
            await ask(service, operation, {
              token: tokenFor(operation, 0),
              params: { ...params, [name]: wrong },
            })
          ).status,
          wrong,
        ).toBe(404);
  });
});

const withBody = all.filter(({ body }) => body !== undefined);
describe.each(each(withBody))('the body of %s', (_id, operation) => {
  it('may not name another tenant’s objects', async () => {
    const token = tokenFor(operation, 1);
    const body = (await own[1].body(operation)) as Record<string, unknown>;
    const foreign = (await own[0].body(operation)) as Record<string, unknown>;
    const named = Object.entries(foreign).filter(([, value]) => typeof value === 'string' && isId(value));
    for (const [name, value] of named) {
      const params = await own[1].params(operation);
      const theirs = await ask(service, operation, { token, params, body: { ...body, [name]: value } });
      const missing = absent(String(value));
      const none = await ask(service, operation, { token, params, body: { ...body, [name]: missing } });
      expect(theirs.status, theirs.text).toBeGreaterThanOrEqual(400);
      expect(said(theirs, { [name]: String(value) })).toBe(said(none, { [name]: missing }));
    }
  });

  it('must be JSON, of a known type, short enough, and as its schema says', async () => {
    const token = tokenFor(operation, 0);
    const params = await own[0].params(operation);
    const body = (await own[0].body(operation)) as Record<string, unknown>;
    const status = async (more: Parameters<typeof ask>[2]) => {
      const answer = await ask(service, operation, { token, params, ...more });
      return [answer.status, (answer.problem?.errors ?? []).map(({ pointer }) => pointer)];
    };
    expect(await status({ raw: '{"a":' })).toEqual([400, []]);
    const latin1 = new Uint8Array(Buffer.from('{"name":"caf\xe9"}', 'latin1'));
    expect(await status({ raw: latin1 })).toEqual([400, []]);
    expect(await status({ raw: 'a=1', headers: { 'content-type': 'application/xml' } })).toEqual([415, []]);
    expect(await status({ body: { ...body, 'no/such': 1 } })).toEqual([422, ['/body/no~1such']]);
    for (const [name, value] of Object.entries(body)) {
      const wrong = typeof value === 'object' ? 'text' : { an: 'object' };
      const [code, pointers] = await status({ body: { ...body, [name]: wrong } });
      expect([code, (pointers as string[]).every((at) => at.startsWith(`/body/${name}`))]).toEqual([
        422,
        true,
      ]);
    }
    expect(await tooLong(operation, token, params)).toBe(413);
  });
});

/** Announces a body beyond the limit and waits for the answer to that. */
function tooLong(operation: Operation, token: string, params: Readonly<Record<string, string>>) {
  const path = operation.path.replace(/\{([^}*]+)\*?\}/g, (_, name: string) => params[name]);
  return new Promise<number>((resolve, reject) => {
    const sending = rawRequest(`${service.address}${path}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': 11 * 1024 * 1024,
      },
    });
    sending.once('error', reject);
    sending.once('response', (answer) => {
      answer.resume();
      answer.once('end', () => sending.destroy());
      resolve(answer.statusCode ?? 0);
    });
    sending.flushHeaders();
  });
}

describe.each(each(all))('%s', (_id, operation) => {
  it('takes no query that it does not know', async () => {
    const asked = { token: tokenFor(operation, 0), params: await own[0].params(operation) };
    const answer = await ask(service, operation, {
      ...asked,
      query: '?surely_not=1',
      body: await own[0].body(operation),
    });
    expect([answer.status, answer.problem?.errors?.[0].pointer]).toEqual([422, '/query/surely_not']);
  });
});

const reading = all.filter(({ method }) => method === 'GET');
describe.each(each(reading))('%s', (_id, operation) => {
  it('answers a HEAD as a GET, without the body', async () => {
    const asked = { token: tokenFor(operation, 0), params: await own[0].params(operation) };
    const head = await ask(service, operation, { ...asked, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([operation.success.status, '']);
  });

  it('names nothing of another tenant', async () => {
    const params = await own[1].params(operation);
    await own[0].params(operation);
    const answer = await ask(service, operation, { token: service.tenants[1].tokens.admin, params });
    for (const id of [...(await own[0].ids()), service.tenants[0].id]) expect(answer.text).not.toContain(id);
  });
});

const conditional = all.filter((operation) => operation.conditional);
describe.each(each(conditional))('%s', (_id, operation) => {
  it('is not sent again to who has it', async () => {
    const asked = { token: tokenFor(operation, 0), params: await own[0].params(operation) };
    const first = await ask(service, operation, asked);
    const etag = first.headers.get('etag');
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await ask(service, operation, { ...asked, headers: { 'if-none-match': `W/${etag}` } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  });
});

const idempotent = all.filter((operation) => operation.idempotent);
describe.each(each(idempotent))('%s', (_id, operation) => {
  it('takes effect once for one Idempotency-Key', async () => {
    const key = newId('req');
    const headers = { 'idempotency-key': key };
    const params = await own[0].params(operation);
    const body = await own[0].body(operation);
    const asked = { token: tokenFor(operation, 0), params, body, headers };
    const first = await ask(service, operation, asked);
    // A conflict with what is under way is an answer as well.
    expect([operation.success.status, 409], first.text).toContain(first.status);
    const again = await ask(service, operation, asked);
    expect([again.status, said(again, {})]).toEqual([first.status, said(first, {})]);
    if (first.problem === null) {
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    const [other] = all.filter(
      (row) => row.idempotent && row.id !== operation.id && row.role === operation.role,
    );
    if (other === undefined) return;
    const mixed = await ask(service, other, {
      ...asked,
      params: await own[0].params(other),
      body: await own[0].body(other),
    });
    expect(mixed.problem?.code).toBe('idempotency_conflict');
  });
});

const located = all.filter(({ success }) => 'location' in success);
describe.each(each(located))('%s', (_id, operation) => {
  it('tells where the object is', async () => {
    const token = service.tenants[0].tokens.admin;
    const asked = { token, params: await own[0].params(operation), body: await own[0].body(operation) };
    const answer = await ask(service, operation, asked);
    // A conflict with what is under way made nothing.
    if (answer.status === 409) return;
    const location = answer.headers.get('location');
    expect(location).toMatch(/^\/v1\/[^{}]+$/);
    const object = await fetch(service.address + location, { headers: { authorization: `Bearer ${token}` } });
    expect(object.status).toBe(200);
    const read = (await object.json()) as { readonly id: string };
    const answered = JSON.parse(answer.text);
    // An answer without an id of its own holds the object, as a closed loop its export.
    expect(read.id).toBe(answered.id ?? answered.export.id);
  });
});

it('what makes objects that can be read alone tells where they are', () => {
  const silent = all.filter(({ success }) => success.status === 201 && !('location' in success));
  expect(silent.map(({ id }) => id)).toEqual([
    ...['create_tenant', 'create_user', 'accept_invitation', 'create_token', 'create_sign_in_link'],
    ...['create_session', 'create_review', 'rotate_certification_key', 'raise_support_query'],
    'rotate_webhook_secret',
  ]);
  const isRead = ({ path }: Operation) =>
    all.some((row) => row.method === 'GET' && row.path.startsWith(`${path}/`) && row.path.endsWith('}'));
  expect(silent.filter(isRead)).toEqual([]);
});

const addresses = [...Map.groupBy(all, ({ path }) => path)];
describe.each(addresses)('%s', (path, rows) => {
  it('says which methods it knows', async () => {
    const known: readonly string[] = rows.map(({ method }) => method);
    const allowed = known.includes('GET') ? [...known, 'HEAD'] : known;
    const params = await own[0].params(rows[0]);
    const url = service.address + path.replace(/\{([^}*]+)\*?\}/g, (_, name: string) => params[name]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'GET']) {
      if (known.includes(method)) continue;
      const answer = await fetch(url, { method });
      const text = await answer.text();
      // Another address may be meant by the same words, such as `/x/plan` beside `/x/{id}`.
      const allow = (answer.headers.get('allow') ?? '').split(', ');
      expect([answer.status, problemSchema.parse(JSON.parse(text)).code], text).toEqual([
        405,
        'method_not_allowed',
      ]);
      expect(allow).toEqual(expect.arrayContaining([...allowed]));
      expect(allow).not.toContain(method);
    }
  });
});

it('a token that was just used is no good from the moment it is revoked', async () => {
  const admin = { authorization: `Bearer ${service.tenants[0].tokens.admin}` };
  const made = await fetch(`${service.address}/v1/tokens`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'short', role: 'viewer' }),
  });
  const { id, token } = (await made.json()) as { id: string; token: string };
  const use = async () =>
    (await fetch(`${service.address}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await use(), await use()]).toEqual([200, 200]);
  await fetch(`${service.address}/v1/tokens/${id}`, { method: 'DELETE', headers: admin });
  expect(await use()).toBe(401);
});

it('metrics count the runs that there are', async () => {
  await own[0].fixture('run_id');
  const text = await (await fetch(`${service.address}/metrics`)).text();
  expect(text).toMatch(/^assay_runs\{status="succeeded"\} [1-9]/m);
});

it('what is at no address is a problem as well', async () => {
  const answer = await fetch(`${service.address}/v1/nothing/here?x=1`);
  expect(answer.status).toBe(404);
  expect(problemSchema.parse(await answer.json())).toMatchObject({
    code: 'not_found',
    instance: '/v1/nothing/here',
  });
});

it('no fault of the service’s own was met on the way', () => {
  expect(service.faults).toEqual([]);
});
