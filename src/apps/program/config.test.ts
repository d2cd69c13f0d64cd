import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('an empty environment is a laptop: loopback, embedded database, blobs in the data folder', () => {
  const config = readConfig({}, { data: '/data' });
  expect(config).toMatchObject({
    data_folder: '/data',
    host: '127.0.0.1',
    database_url: null,
    blobs: { kind: 'folder', folder: join('/data', 'blobs') },
    source_roots: [homedir()],
  });
});

test('listening for others reads recordings only from roots that were named', () => {
  expect(readConfig({ ASSAY_HOST: '0.0.0.0' }).source_roots).toEqual([]);
  expect(readConfig({ ASSAY_HOST: '0.0.0.0', ASSAY_SOURCE_ROOTS: '/a:/b' }).source_roots).toEqual([
    '/a',
    '/b',
  ]);
});

test('an S3 address becomes bucket and prefix, with the server and keys beside it', () => {
  const { blobs } = readConfig({
    ASSAY_BLOBS: 's3://recordings/team/a/',
    ASSAY_S3_ENDPOINT: 'http://127.0.0.1:9000',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  expect(blobs).toEqual({
    kind: 's3',
    bucket: 'recordings',
    prefix: 'team/a',
    scratch_folder: expect.stringMatching(/scratch$/),
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:9000',
    force_path_style: true,
    access_key_id: 'id',
    secret_access_key: 'secret',
  });
});

test('every wrong variable is named at once', () => {
  const wrong = { ASSAY_PORT: 'high', ASSAY_DATABASE_URL: 'mysql://x', ASSAY_BOOTSTRAP_TOKEN: 'secret' };
  expect(() => readConfig(wrong)).toThrow(/ASSAY_PORT.*ASSAY_DATABASE_URL|ASSAY_DATABASE_URL.*ASSAY_PORT/s);
  expect(() => readConfig(wrong)).toThrow(/ASSAY_BOOTSTRAP_TOKEN: must be asy_/);
});

test('a variable set to nothing counts as absent', () => {
  expect(readConfig({ ASSAY_DATABASE_URL: '' }).database_url).toBeNull();
});

test('a database server may be named by its socket', () => {
  const url = 'postgresql://assay:@/assay?host=/run/postgresql';
  expect(readConfig({ ASSAY_DATABASE_URL: url }).database_url).toBe(url);
});

test('proxies are addresses, networks or their usual names', () => {
  expect(readConfig({ ASSAY_TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::1' }).trust_proxy).toEqual([
    'loopback',
    '10.0.0.0/8',
    'fd00::1',
  ]);
  expect(() => readConfig({ ASSAY_TRUST_PROXY: 'proxy.example' })).toThrow(/ASSAY_TRUST_PROXY: must be/);
  expect(() => readConfig({ ASSAY_TRUST_PROXY: 'true' })).toThrow(/ASSAY_TRUST_PROXY/);
});

test('a model of the environment must be an option of its surface, and those are named', () => {
  const { environment_models } = readConfig({
    ASSAY_MODEL_DETECTION: 'peterande/d-fine-s',
    ASSAY_MODEL_BODY_POSE: 'google/movenet-lightning',
    ASSAY_MODEL_DEPTH: '',
  });
  expect(environment_models).toEqual({
    detection: 'peterande/d-fine-s',
    body_pose: 'google/movenet-lightning',
  });
  expect(() => readConfig({ ASSAY_MODEL_DETECTION: 'ultralytics/yolo26-x' })).toThrow(
    /ASSAY_MODEL_DETECTION: ultralytics\/yolo26-x is not available .*AGPL.* roboflow\/rf-detr-nano/,
  );
  expect(() => readConfig({ ASSAY_MODEL_DETECTON: 'peterande/d-fine-s' })).toThrow(
    /ASSAY_MODEL_DETECTON: unknown model surface/,
  );
});

test('the hub of models is an address, and ends without a slash', () => {
  expect(readConfig({ ASSAY_MODEL_HUB: 'http://127.0.0.1:9/mirror//' }).model_hub).toBe(
    'http://127.0.0.1:9/mirror',
  );
  expect(() => readConfig({ ASSAY_MODEL_HUB: 'file:///models' })).toThrow(/ASSAY_MODEL_HUB/);
});

test('a vision endpoint is an address without secrets, with a model', () => {
  const set = {
    ASSAY_VLM_URL: 'http://gpu:8000/v1/',
    ASSAY_VLM_MODEL: 'Qwen/Qwen3-VL',
    ASSAY_VLM_TIMEOUT_S: '30',
  };
  expect(readConfig({}).vision_endpoint).toBeNull();
  expect(readConfig(set).vision_endpoint).toEqual({
    ...{ url: 'http://gpu:8000/v1', api_key: null, model: 'Qwen/Qwen3-VL', silence_ms: 30_000 },
  });
  for (const ASSAY_VLM_URL of ['http://me:secret@gpu/v1', 'http://gpu/v1?key=secret', 'file:///v1'])
    expect(() => readConfig({ ...set, ASSAY_VLM_URL }), ASSAY_VLM_URL).toThrow(/ASSAY_VLM_URL/);
  expect(() => readConfig({ ...set, ASSAY_VLM_MODEL: '' })).toThrow(/ASSAY_VLM_MODEL is not/);
  expect(() => readConfig({ ...set, ASSAY_VLM_MODEL: 'a, b' })).toThrow(/must be one name/);
});

test('sources over the web reach public addresses without the token, unless the operator says otherwise', () => {
  expect(readConfig({ HF_TOKEN: 'hf_t' }).source_web).toEqual({
    ...{ allows: 'all', networks: [], token_tenants: [], max_bytes: 1024 ** 4 },
  });
  const [tenant, other] = ['tnt_01h455vb4pex5vsknk084sn02q', 'tnt_01h455vb4pex5vsknk084sn02r'];
  expect(
    readConfig({
      ASSAY_SOURCE_WEB: 'hub',
      ASSAY_SOURCE_WEB_NETWORKS: '10.20.0.0/16, fd00::/8',
      ASSAY_SOURCE_HUB_TENANTS: `${tenant}, ${other}`,
    }).source_web,
  ).toMatchObject({ allows: 'hub', networks: ['10.20.0.0/16', 'fd00::/8'], token_tenants: [tenant, other] });
  expect(() => readConfig({ ASSAY_SOURCE_WEB_NETWORKS: '10.0.0.0/40' })).toThrow(/10\.0\.0\.0\/40/);
  expect(() => readConfig({ ASSAY_SOURCE_HUB_TENANTS: 'all' })).toThrow(/ASSAY_SOURCE_HUB_TENANTS/);
});

test('email needs a mail server and a sender, and is sent over TLS unless the operator says otherwise', () => {
  expect(readConfig({}).notifications).toEqual({ public_url: null, mail: null });
  const set = { ASSAY_SMTP_HOST: 'smtp.test', ASSAY_SMTP_FROM: 'Assay <assay@example.org>' };
  expect(readConfig({ ...set, ASSAY_PUBLIC_URL: 'https://assay.test/' }).notifications).toEqual({
    public_url: 'https://assay.test',
    mail: { host: 'smtp.test', port: 587, tls: 'required', login: null, from: set.ASSAY_SMTP_FROM },
  });
  const login = { ASSAY_SMTP_USER: 'assay', ASSAY_SMTP_PASSWORD: 'secret' };
  expect(readConfig({ ...set, ...login, ASSAY_SMTP_TLS: 'implicit' }).notifications.mail).toMatchObject({
    ...{ port: 465, tls: 'implicit' },
    login: { user: 'assay', password: 'secret' },
  });
  expect(() => readConfig({ ASSAY_SMTP_HOST: 'smtp.test' })).toThrow(/ASSAY_SMTP_FROM/);
  expect(() => readConfig(login)).toThrow(/ASSAY_SMTP_HOST/);
  expect(() => readConfig({ ...set, ASSAY_SMTP_USER: 'assay' })).toThrow(/ASSAY_SMTP_PASSWORD/);
  for (const ASSAY_SMTP_FROM of ['nobody', 'a@b.test\nBcc: c@d.test'])
    expect(() => readConfig({ ...set, ASSAY_SMTP_FROM }), ASSAY_SMTP_FROM).toThrow(/ASSAY_SMTP_FROM/);
});
